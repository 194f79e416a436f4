//! Calls on the CPU.

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use cuvec_spec::{MAX_ARGUMENTS, c};

use super::arguments::{Arrays, Scalars};
use super::body::Provider;
use super::inner_call;
use super::object::Pointer;
use super::plan::{Plan, ScalarResult};
use super::values::{Folded, NONE, Strides, scalar_at};
use crate::error::{Kind, Result};
use crate::interrupt::Watch;
use crate::memory::Block;
use crate::retained::Kept;

impl Plan<'_> {
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
        drop(on_cpu); // retained objects end before the call does
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

    unsafe fn run(&mut self, function: &str, operands: &[c::Operand]) -> Result<()> {
        // SAFETY: the caller's.
        unsafe { inner_call::run(self, function, operands) }
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
