//! Calls on the CPU.

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use declared::{Call, Failure, Launch, MAX_ARGUMENTS, Status, Value};

use super::bodies::{self, Side};
use super::{Arrays, Number, Plan, Scalars};
use crate::array::Array;
use crate::error::Result;
use crate::interrupt::Watch;
use crate::memory::Block;
use crate::parallel;

/// No value.
pub(super) const NONE: Value = Value {
    data: ptr::null_mut(),
    shape: ptr::null(),
    size: 0,
};

/// An array, at an address that the body can use.
pub(super) fn value_of(array: &Array, address: usize) -> Value {
    Value {
        data: address as *mut c_void,
        shape: array.shape.as_ptr().cast(), // extents have as many bits, and never the highest
        size: array.count() as i64,
    }
}

/// A number, or where one is to be put.
pub(super) fn number_at(address: *mut u8) -> Value {
    Value {
        data: address.cast(),
        size: 1,
        ..NONE
    }
}

const _: () = assert!(
    size_of::<usize>() == size_of::<i64>(),
    "extents are passed as they are"
);

impl Plan<'_> {
    #[inline(never)]
    pub(super) fn run_on_cpu(
        &self,
        arrays: &Arrays,
        scalars: &Scalars,
        numbers: &mut [Number],
    ) -> Result<()> {
        let spec = &self.function.spec;
        let mut values = [NONE; MAX_ARGUMENTS];
        for (index, value) in values[..spec.arguments.len()].iter_mut().enumerate() {
            if let Some(array) = arrays[index] {
                *value = value_of(array, array.address);
            } else if self.function.is_scalar(index) {
                *value = number_at(scalars[index].address().cast_mut());
            }
        }
        for number in numbers {
            values[number.argument] = number_at(number.value.address_mut());
        }
        let values = &values[..spec.arguments.len()];
        let mut call = OnCpu::default();
        // SAFETY: all arguments are checked, and on the host.
        unsafe {
            let variant = self.dtypes.variant;
            bodies::run(spec.variants, variant, Side::Cpu, &mut call, values)?;
        }
        Ok(())
    }
}

/// What is lent on the CPU.
#[derive(Default)]
struct OnCpu {
    watch: Watch,
    scratch: Vec<Arc<Block>>,
}

impl Call for OnCpu {
    fn stream(&self) -> *mut c_void {
        ptr::null_mut()
    }

    fn gpu(&self) -> i32 {
        0
    }

    fn scratch(&mut self, bytes: usize) -> Result<*mut c_void, Failure> {
        let block = Block::on_host(bytes)?;
        let address = block.address();
        self.scratch.push(block);
        Ok(address as *mut c_void)
    }

    fn parallel(&mut self, tasks: usize, task: &(dyn Fn(usize) + Sync)) -> Result<(), Failure> {
        in_parallel(&mut self.watch, tasks, task)
    }

    fn interrupted(&mut self) -> bool {
        self.watch.interrupted()
    }

    unsafe fn launch(&mut self, launch: Launch<'_>) -> Result<(), Failure> {
        let kernel = launch.kernel.name;
        let message = format!("kernel `{kernel}` was launched by what runs on the CPU");
        Err(Failure::new(Status::Runtime, message))
    }
}

pub(super) fn in_parallel(
    watch: &mut Watch,
    tasks: usize,
    task: &(dyn Fn(usize) + Sync),
) -> Result<(), Failure> {
    if parallel::share_until(tasks, || watch.interrupted(), task) {
        return Err(Failure::interrupted());
    }
    Ok(())
}
