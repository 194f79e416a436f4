//! Calls on the CPU.

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use cuvec_spec::{MAX_ARGUMENTS, MAX_RANK, Value, c};

use super::arguments::{Arrays, Scalars};
use super::body::Provider;
use super::function::Function;
use super::layout::Strides;
use super::object::Pointer;
use super::plan::{Plan, ScalarResult};
use crate::array::Array;
use crate::error::{Kind, Result};
use crate::interrupt::Watch;
use crate::memory::Block;
use crate::retained::Kept;

/// No value.
pub(super) const NONE: Value = Value {
    data: ptr::null_mut(),
    shape: ptr::null(),
    strides: ptr::null(),
    size: 0,
    count: ptr::null_mut(),
};

/// As much as any element is aligned to.
const MAX_ALIGN: usize = 16;

/// An array, at an address that the body can use.
pub(super) fn value_of(array: &Array, address: usize) -> Value {
    Value {
        data: address.max(MAX_ALIGN) as *mut c_void, // an empty array may have no address, and is not None
        shape: array.shape.as_ptr().cast(), // sizes have as many bits, and never the highest
        size: array.count() as i64,
        ..NONE
    }
}

/// The shapes of arrays whose leading dimensions the body gets as one.
pub(super) struct Folded(Vec<[i64; MAX_RANK]>);

impl Folded {
    pub fn of(function: &Function) -> Self {
        // As many as there may be: none of them moves.
        let count = if function.folded.is_empty() {
            0
        } else {
            MAX_ARGUMENTS
        };
        Self(Vec::with_capacity(count))
    }

    /// Changes the value of an array that has so many dimensions of its own behind the leading ones.
    #[inline(never)]
    pub fn fold(&mut self, value: &mut Value, array: &Array, own: usize) {
        let (leading, own) = array.shape.split_at(array.shape.len() - own);
        let mut shape = [0; MAX_RANK];
        shape[0] = leading.iter().product::<usize>() as i64;
        for (to, from) in shape[1..].iter_mut().zip(own) {
            *to = *from as i64;
        }
        self.0.push(shape);
        value.shape = self.0.last().map_or(ptr::null(), |shape| shape.as_ptr());
    }
}

/// A scalar, or where one is to be put.
pub(super) fn scalar_at(address: *mut u8) -> Value {
    Value {
        data: address.cast(),
        size: 1,
        ..NONE
    }
}

const _: () = assert!(
    size_of::<usize>() == size_of::<i64>(),
    "sizes are passed as they are"
);

impl Plan<'_> {
    /// The arguments, as a body on the side of the arrays gets them.
    pub(super) fn put_values(
        &self,
        values: &mut [Value],
        arrays: &Arrays,
        scalars: &Scalars,
        (folded, strides): &mut (Folded, Strides),
    ) {
        for (index, value) in values.iter_mut().enumerate() {
            if let Some(array) = arrays[index] {
                *value = value_of(array, array.address);
                if self.function.folded.has(index) {
                    folded.fold(value, array, self.function.own(index));
                }
                if self.function.laid_out.has(index) {
                    strides.put(value, array, self.function, (index, false));
                }
            } else if self.function.is_scalar(index) {
                *value = scalar_at(self.function.address_of(index, scalars).cast_mut());
            }
        }
    }

    #[inline(never)]
    pub(super) fn run_on_cpu(
        &self,
        arrays: &Arrays,
        scalars: &Scalars,
        results: &mut [ScalarResult],
    ) -> Result<()> {
        let spec = &self.function.spec;
        let mut values = [NONE; MAX_ARGUMENTS];
        let mut shapes = (Folded::of(self.function), Strides::of(self.function));
        self.put_values(
            &mut values[..spec.arguments.len()],
            arrays,
            scalars,
            &mut shapes,
        );
        for result in results {
            let address = result.value.address_mut();
            match self.function.counted.has(result.argument) {
                true => values[result.argument].count = address.cast(),
                false => values[result.argument] = scalar_at(address),
            }
        }
        let values = &mut values[..spec.arguments.len()];
        let body = spec.variants[self.dtypes.variant].cpu;
        let mut on_cpu = OnCpu::with(self.pointer());
        // SAFETY: all arguments are checked, and on the host.
        unsafe { self.run_body(body, &mut on_cpu, values, arrays)? };
        if !self.has_object() {
            return Ok(());
        }
        let made = on_cpu.object.0;
        drop(on_cpu); // what it has kept ends before the call does
        self.construct(made, arrays, scalars)
    }
}

/// Services of the CPU for a body.
#[derive(Default)]
pub(super) struct OnCpu {
    watch: Watch,
    scratch: Vec<Arc<Block>>,
    object: Pointer,
    kept: Vec<Kept>,
}

impl OnCpu {
    /// With what a method works on.
    pub fn with(object: Pointer) -> Self {
        Self {
            object,
            ..Self::default()
        }
    }
}

impl Provider for OnCpu {
    fn stream(&self) -> *mut c_void {
        ptr::null_mut()
    }

    fn gpu(&self) -> i32 {
        0
    }

    fn report(&self) -> *mut c::ReportSlot {
        ptr::null_mut()
    }

    fn scratch(&mut self, bytes: usize) -> Result<*mut c_void> {
        let block = Block::on_host(bytes)?;
        let address = block.address();
        self.scratch.push(block);
        Ok(address as *mut c_void)
    }

    fn reuse_scratch(&mut self) {
        self.scratch.clear();
    }

    fn watch(&mut self) -> &mut Watch {
        &mut self.watch
    }

    fn object(&mut self) -> &mut *mut c_void {
        &mut self.object.0
    }

    fn allocate(&mut self, bytes: usize) -> Result<Arc<Block>> {
        Block::on_host(bytes)
    }

    fn keep(&mut self, kept: Kept) {
        self.kept.push(kept);
    }

    fn adds_to(&mut self, _: usize) {}

    unsafe fn launch(&mut self, _: &c::Launch) -> Result<()> {
        let why = "a kernel was launched by what runs on the CPU";
        Err(Kind::Kernel(why.to_owned()).into())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    use super::*;

    #[test]
    fn memory_and_what_is_kept_are_there_until_the_body_is_done() {
        static ENDED: AtomicUsize = AtomicUsize::new(0);
        unsafe extern "C" fn end(_: *mut c_void) {
            ENDED.fetch_add(1, SeqCst);
        }
        let mut cpu = OnCpu::default();
        let watch = ptr::from_ref(cpu.watch());
        assert!(ptr::eq(cpu.watch(), watch)); // a new one would start to wait again
        cpu.scratch(8).unwrap();
        let block = Arc::downgrade(&cpu.scratch[0]);
        assert!(block.upgrade().is_some());
        cpu.reuse_scratch();
        assert!(block.upgrade().is_none());
        // SAFETY: `end` does not look at the thing.
        cpu.keep(unsafe { Kept::new(ptr::null_mut(), end) });
        assert_eq!(ENDED.load(SeqCst), 0);
        drop(cpu);
        assert_eq!(ENDED.load(SeqCst), 1);
    }
}
