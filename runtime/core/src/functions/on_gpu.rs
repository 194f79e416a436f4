//! Calls on the GPU.

use std::ffi::c_void;
use std::sync::Arc;

use cudarc::driver::result;
use cudarc::driver::sys::CUdeviceptr;
use cuvec_spec::{MAX_ARGUMENTS, Role, Value, c};

use super::arguments::{Arrays, INLINE_ARGS, Scalars};
use super::body::Provider;
use super::function::Function;
use super::inner_call;
use super::object::Pointer;
use super::plan::{Plan, ScalarResult};
use super::scalar::Scalar;
use super::values::{Folded, NONE, Strides, scalar_at, value_of};
use crate::array::{Array, Place};
use crate::error::Result;
use crate::gpu::{
    Gpu, Stream,
    graph::{FOR_COUNTS, FOR_SCALARS},
};
use crate::interrupt::Watch;
use crate::memory::{Block, MemoryKind};
use crate::retained::Kept;
use crate::stream_call::{StreamCall, Use};

impl Plan<'_> {
    pub(super) fn run_on_gpu(
        &self,
        gpu: &Gpu,
        stream: Option<Stream>,
        arrays: &Arrays,
        scalars: &Scalars,
        results: &mut [ScalarResult],
    ) -> Result<()> {
        let written = match results.is_empty() {
            true => None, // as mostly
            false => Some(Written::allocate(gpu, results.len())?),
        };
        let spec = &self.function.spec;
        let given = &arrays[..spec.arguments.len()];
        let mut call = StreamCall::new(gpu, stream, given);
        call.begin()?;
        if self.has_object() {
            self.precede_object(&mut call)?;
        }
        let (mut few, mut many);
        let values = if given.len() <= INLINE_ARGS {
            few = [NONE; INLINE_ARGS];
            &mut few[..given.len()]
        } else {
            many = [NONE; MAX_ARGUMENTS];
            &mut many[..given.len()]
        };
        if let Some(written) = &written {
            written.provide(self, results, values, &mut call)?;
        }
        let mut shapes = (Folded::of(self.function), Strides::of(self.function));
        self.fill(values, given, scalars, &mut call, &mut shapes)?;
        let counts = match self.function.counted.is_empty() {
            true => None, // as mostly
            false => Some(Counts::provide(self, results, values, &mut call)?),
        };
        let body = spec.variants[self.dtypes.variant].gpu;
        // SAFETY: all arguments are checked; scalars are on the host, arrays where the GPU has them.
        let made = unsafe {
            let mut on_gpu = OnGpu::with(gpu, &mut call, self.pointer());
            on_gpu.results = Some(Results {
                function: self.function,
                arrays: given,
                numbers: written.as_ref().map(|written| (written, &*results)),
            });
            self.run_body(body, &mut on_gpu, values, given)?;
            on_gpu.object.0
        };
        if self.has_object() {
            self.construct(made, arrays, scalars)?;
            self.leave_object(&call)?;
        }
        if let (Some(written), Some(counts)) = (&written, &counts) {
            // SAFETY: nothing else uses it before the call is finished.
            unsafe {
                let to = written.0.bytes(size_of_val(results));
                counts.fetch(self, results, to, &call)?;
            }
        }
        call.finish()?;
        if let Some(written) = &written {
            written.read(results);
        }
        Ok(())
    }

    /// Checks whether kernels add to a small new result, which they never do in host memory.
    fn is_fetched(&self, argument: usize, array: &Array) -> bool {
        let is_small = || !array.is_large() && array.count() > 0;
        self.is_new(argument)
            && self.function.expectation(argument).is_added_to()
            && matches!(array.place, Place::Block(_))
            && is_small()
    }

    /// The arguments, as the body gets them; arrays of the host are copied to where the GPU is.
    fn fill<'a>(
        &self,
        values: &mut [Value],
        arrays: &[Option<&'a Array>],
        scalars: &Scalars,
        call: &mut StreamCall<'a>,
        (folded, strides): &mut (Folded, Strides),
    ) -> Result<()> {
        let slots = values.iter_mut().zip(arrays).enumerate();
        for ((index, (value, array)), argument) in slots.zip(self.function.spec.arguments) {
            if let Some(array) = *array {
                let address = match array.is_contiguous() {
                    _ if argument.is_saved && self.is_unsaved(index) => {
                        call.memory(array.bytes())?
                    }
                    false if self.copies(index) => call.copied(array, argument.name)?,
                    true if self.is_fetched(index, array) => {
                        call.fetched(array.address, array.dtype, array.count())?
                    }
                    _ => call.address(array, use_of(argument.role))?,
                };
                *value = value_of(array, address as usize);
                if argument.shape.has_rows() {
                    folded.fold(value, array, argument.shape.extents.len());
                }
                if self.function.laid_out.has(index) {
                    let is_copy = !array.is_contiguous() && self.copies(index);
                    strides.put(value, array, self.function, (index, is_copy));
                }
            } else if argument.role == Role::Scalar {
                *value = scalar_at(self.function.address_of(index, scalars).cast_mut());
            }
        }
        Ok(())
    }
}

/// Returns the use that bodies make of an array in this role.
pub(super) const fn use_of(role: Role) -> Use {
    match role {
        Role::InOut => Use::READ_AND_WRITTEN,
        Role::Out | Role::Result => Use::WRITTEN,
        Role::In | Role::Scalar => Use::READ,
    }
}

/// Where the GPU writes the scalars that a call returns: host memory that it addresses.
struct Written(Arc<Block>);

impl Written {
    #[inline(never)]
    fn allocate(gpu: &Gpu, count: usize) -> Result<Self> {
        let bytes = count * size_of::<Scalar>();
        Block::allocate_on(gpu, bytes, MemoryKind::Pinned).map(Self)
    }

    fn at(&self, place: usize) -> *mut Scalar {
        (self.0.address() + place * size_of::<Scalar>()) as *mut Scalar
    }

    /// Has the body write there, in a call that becomes synchronous.
    #[inline(never)]
    fn provide(
        &self,
        plan: &Plan,
        results: &[ScalarResult],
        values: &mut [Value],
        call: &mut StreamCall<'_>,
    ) -> Result<()> {
        for (place, result) in results.iter().enumerate() {
            if plan.function.counted.has(result.argument) {
                call.make_synchronous(FOR_COUNTS)?;
            } else {
                call.make_synchronous(FOR_SCALARS)?;
                let at = match plan.function.expectation(result.argument).is_added_to() {
                    true => call.fetched(self.at(place) as usize, result.dtype, 1)? as *mut u8,
                    false => self.at(place).cast(),
                };
                values[result.argument] = scalar_at(at);
            }
        }
        Ok(())
    }

    /// Takes what is there once the call is synchronized.
    #[inline(never)]
    fn read(&self, results: &mut [ScalarResult]) {
        for (place, result) in results.iter_mut().enumerate() {
            // SAFETY: in the block, which nobody writes to any more.
            result.value = unsafe { *self.at(place) };
        }
    }
}

/// Services of a GPU for a body.
pub(super) struct OnGpu<'a, 'b> {
    gpu: &'a Gpu,
    call: &'b mut StreamCall<'a>,
    watch: Watch,
    object: Pointer,
    results: Option<Results<'b>>,
}

/// Where the results of a function are.
struct Results<'a> {
    function: &'a Function,
    arrays: &'a [Option<&'a Array>],
    /// Those that are returned as scalars.
    numbers: Option<(&'a Written, &'a [ScalarResult])>,
}

impl Results<'_> {
    fn address(&self, argument: usize) -> Option<usize> {
        if let Some(array) = self.arrays[argument] {
            return Some(array.address);
        }
        let (written, results) = self.numbers?;
        let place = results.iter().position(|it| it.argument == argument)?;
        Some(written.at(place) as usize)
    }
}

impl<'a, 'b> OnGpu<'a, 'b> {
    pub fn new(gpu: &'a Gpu, call: &'b mut StreamCall<'a>) -> Self {
        Self::with(gpu, call, Pointer::default())
    }

    /// With what a method works on.
    pub fn with(gpu: &'a Gpu, call: &'b mut StreamCall<'a>, object: Pointer) -> Self {
        let watch = Watch::default();
        Self {
            gpu,
            call,
            watch,
            object,
            results: None,
        }
    }
}

impl Provider for OnGpu<'_, '_> {
    fn stream(&self) -> *mut c_void {
        match self.call.stream() {
            Stream(0) => Stream::LEGACY_DEFAULT.0 as *mut c_void, // the same, and not the CPU
            Stream(handle) => handle as *mut c_void,
        }
    }

    fn gpu(&self) -> i32 {
        self.gpu.index as i32 // there are not so many
    }

    fn report(&self) -> *mut c::ReportSlot {
        self.gpu.report_slot()
    }

    fn scratch(&mut self, bytes: usize) -> Result<*mut c_void> {
        Ok(self.call.scratch(bytes)? as *mut c_void)
    }

    fn reuse_scratch(&mut self) {
        self.call.reuse_scratch();
    }

    fn watch(&mut self) -> &mut Watch {
        &mut self.watch
    }

    fn object(&mut self) -> &mut *mut c_void {
        &mut self.object.0
    }

    /// Whatever streams the object is used on: its memory is not used again before the GPU is synchronized.
    fn allocate(&mut self, bytes: usize) -> Result<Arc<Block>> {
        let block = Block::scratch(self.gpu, bytes)?;
        block.expose();
        Ok(block)
    }

    fn keep(&mut self, kept: Kept) {
        self.call.keep(kept);
    }

    /// The calls after this one have them elsewhere.
    fn adds_to(&mut self, array: usize) {
        if let Some(results) = &self.results {
            let added = |&(argument, _): &(usize, _)| results.address(argument) == Some(array);
            for (argument, _) in results.function.results().filter(added) {
                results.function.expectation(argument).adds();
            }
        }
    }

    unsafe fn launch(&mut self, launch: &c::Launch) -> Result<()> {
        // SAFETY: the caller's.
        unsafe { self.gpu.launch(self.call.stream(), launch) }
    }

    unsafe fn run(&mut self, function: &str, operands: &[c::Operand]) -> Result<()> {
        // SAFETY: the caller's.
        unsafe { inner_call::run(self, function, operands) }
    }
}

/// Where the kernels of a call count: memory of the GPU, where threads add to it quickly.
struct Counts(CUdeviceptr);

impl Counts {
    /// Has the body count there.
    #[inline(never)]
    pub fn provide(
        plan: &Plan,
        results: &[ScalarResult],
        values: &mut [Value],
        call: &mut StreamCall<'_>,
    ) -> Result<Self> {
        let bytes = size_of_val(results);
        let start = call.scratch(bytes)?;
        // SAFETY: begun, so that the GPU is current; as many bytes.
        unsafe { result::memset_d8_async(start, 0, bytes, call.stream().raw()) }?;
        for (place, result) in results.iter().enumerate() {
            if plan.function.counted.has(result.argument) {
                values[result.argument].count = Self::at(start, place) as *mut i64;
            }
        }
        Ok(Self(start))
    }

    fn at(start: CUdeviceptr, place: usize) -> CUdeviceptr {
        start + (place * size_of::<Scalar>()) as CUdeviceptr
    }

    /// Copies what was counted, in the order of the stream.
    ///
    /// # Safety
    /// There must be room for as many as there are results, until the call is finished.
    #[inline(never)]
    pub unsafe fn fetch(
        &self,
        plan: &Plan,
        results: &[ScalarResult],
        to: &mut [u8],
        call: &StreamCall<'_>,
    ) -> Result<()> {
        let places = to.chunks_mut(size_of::<Scalar>()).enumerate();
        for ((place, to), result) in places.zip(results) {
            if plan.function.counted.has(result.argument) {
                let from = Self::at(self.0, place);
                // SAFETY: the caller's.
                unsafe { result::memcpy_dtoh_async(to, from, call.stream().raw()) }?;
            }
        }
        Ok(())
    }
}
