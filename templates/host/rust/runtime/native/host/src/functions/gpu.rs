//! Calls on the GPU.

use std::ffi::c_void;
use std::sync::Arc;

use declared::{Call, Failure, Launch, MAX_ARGUMENTS, Role, Value};

use super::bodies::{self, Side};
use super::cpu::{NONE, in_parallel, number_at, value_of};
use super::{Arrays, FEW, Number, Plan, Scalar, Scalars};
use crate::array::Array;
use crate::error::Result;
use crate::gpu::graph::not_for_numbers;
use crate::gpu::stream::Stream;
use crate::gpu::{self, Gpu};
use crate::interrupt::Watch;
use crate::memory::{Block, MemoryKind};

impl Plan<'_> {
    pub(super) fn run_on_gpu(
        &self,
        gpu: &Gpu,
        stream: Option<Stream>,
        arrays: &Arrays,
        scalars: &Scalars,
        mut numbers: Vec<Number>,
    ) -> Result<Vec<Number>> {
        let written = Numbers::allocate(gpu, numbers.len())?;
        let spec = &self.function.spec;
        let given = &arrays[..spec.arguments.len()];
        let mut call = gpu::call::Call::new(gpu, stream, given);
        call.begin()?;
        if !numbers.is_empty() {
            call.wait_for_end(not_for_numbers)?;
        }
        let (mut few, mut many);
        let values = if given.len() <= FEW {
            few = [NONE; FEW];
            &mut few[..given.len()]
        } else {
            many = [NONE; MAX_ARGUMENTS];
            &mut many[..given.len()]
        };
        self.fill(values, given, scalars, &mut call)?;
        for (place, number) in numbers.iter().enumerate() {
            values[number.argument] = number_at(written.address(place));
        }
        let variant = self.dtypes.variant;
        let mut lent = OnGpu {
            gpu,
            call: &mut call,
            watch: Watch::default(),
        };
        // SAFETY: all arguments are checked; numbers are on the host, arrays where the GPU has them.
        unsafe { bodies::run(spec.variants, variant, Side::Gpu, &mut lent, values)? };
        call.finish()?;
        for (place, number) in numbers.iter_mut().enumerate() {
            number.value = written.get(place);
        }
        Ok(numbers)
    }

    /// The arguments, as the body gets them; arrays of the host are copied to where the GPU is.
    fn fill<'a>(
        &self,
        values: &mut [Value],
        arrays: &[Option<&'a Array>],
        scalars: &Scalars,
        call: &mut gpu::call::Call<'a>,
    ) -> Result<()> {
        let slots = values.iter_mut().zip(arrays).zip(scalars);
        for (((value, array), scalar), argument) in slots.zip(self.function.spec.arguments) {
            if let Some(array) = *array {
                let address = match argument.role {
                    Role::InOut => call.inout(array),
                    Role::Out | Role::Result => call.output(array),
                    Role::In | Role::Scalar => call.input(array),
                };
                *value = value_of(array, address? as usize);
            } else if argument.role == Role::Scalar {
                *value = number_at(scalar.address().cast_mut());
            }
        }
        Ok(())
    }
}

/// Where the GPU writes the numbers of a call: host memory that it addresses.
struct Numbers(Option<Arc<Block>>);

impl Numbers {
    fn allocate(gpu: &Gpu, count: usize) -> Result<Self> {
        let bytes = count * size_of::<Scalar>();
        let allocate = || Block::allocate_on(gpu, bytes, MemoryKind::Pinned);
        Ok(Self((count > 0).then(allocate).transpose()?))
    }

    fn address(&self, place: usize) -> *mut u8 {
        let start = self.0.as_ref().map_or(0, |block| block.address());
        (start + place * size_of::<Scalar>()) as *mut u8
    }

    /// A number, after the call has been waited for.
    fn get(&self, place: usize) -> Scalar {
        // SAFETY: one of those that were allocated; bytes of any values are a scalar.
        unsafe { *self.address(place).cast::<Scalar>() }
    }
}

/// What is lent on the GPU.
struct OnGpu<'a, 'b> {
    gpu: &'a Gpu,
    call: &'b mut gpu::call::Call<'a>,
    watch: Watch,
}

impl Call for OnGpu<'_, '_> {
    fn stream(&self) -> *mut c_void {
        match self.call.stream() {
            Stream(0) => Stream::LEGACY_DEFAULT.0 as *mut c_void, // the same, and not the CPU
            Stream(handle) => handle as *mut c_void,
        }
    }

    fn gpu(&self) -> i32 {
        self.gpu.index as i32 // there are not so many
    }

    fn scratch(&mut self, bytes: usize) -> Result<*mut c_void, Failure> {
        Ok(self.call.scratch(bytes)? as *mut c_void)
    }

    fn parallel(&mut self, tasks: usize, task: &(dyn Fn(usize) + Sync)) -> Result<(), Failure> {
        in_parallel(&mut self.watch, tasks, task)
    }

    fn interrupted(&mut self) -> bool {
        self.watch.interrupted()
    }

    unsafe fn launch(&mut self, launch: Launch<'_>) -> Result<(), Failure> {
        // SAFETY: the caller's.
        Ok(unsafe { self.gpu.launch(self.call.stream(), launch) }?)
    }
}
