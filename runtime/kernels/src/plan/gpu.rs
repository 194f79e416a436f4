//! The passes on the GPU.

use core::ffi::c_int;
use core::mem::MaybeUninit;
use core::{ptr, slice};

use super::prepare::{Scratch, run_passes, work};
use super::{Kernel, Parameters, Plan, Unit, enter};
use crate::call::{Call, Done};
use crate::grid::BLOCK;
use crate::row::{Value, c};

/// The kernel that sets memory to zeros: `grid/gpu/access.rs`.
pub static ZERO: Kernel = Kernel::named("cuvec kernel kernels_zero\0");

/// Blocks of a pass whose threads go from one element to the next. Where they begin takes a division, so more is not faster.
const MOST_BLOCKS: usize = 1 << 14;

/// Runs the function on the GPU.
///
/// # Safety
/// The values must match the plan's declaration, in memory of the GPU.
pub unsafe fn on_gpu(plan: &Plan, call: *mut c::Call, values: *const Value) -> c_int {
    // SAFETY: the caller's.
    unsafe {
        enter(plan, call, values, |plan, call, values| {
            run_passes(plan, call, values, Scratch::OnGpu, run)
        })
    }
}

/// # Safety
/// The parameters must match the plan.
#[inline(always)] // in `on_gpu`: what is launched returns through fewer functions
unsafe fn run(plan: &Plan, index: usize, call: &mut Call<'_>, parameters: &Parameters) -> Done {
    let pass = &plan.passes[index];
    // SAFETY: the caller's.
    let work = unsafe { work(plan, index, parameters) }?;
    // A power of two, and a division takes longer.
    let mut blocks = (work.units + (pass.per_block - 1)) >> pass.per_block.trailing_zeros();
    if pass.unit == Unit::Threads {
        blocks = blocks.min(MOST_BLOCKS);
    } else if pass.unit == Unit::Over {
        blocks = match work.blocks {
            Some(chosen) if blocks > 0 => chosen,
            _ => blocks.min(1024),
        };
        // SAFETY: the caller's.
        unsafe { zero_all(plan, index, call, parameters) }?;
    }
    let bytes = parameters.bytes();
    // SAFETY: the parameters are those that the macro gave the kernel.
    unsafe {
        launch(
            call,
            pass.kernel,
            [blocks, pass.threads as usize],
            work.shared + pass.memory,
            bytes,
        )
    }
}

/// Sets what a pass adds to to zeros.
///
/// # Safety
/// As for [`run`].
#[inline(never)] // few passes need it
unsafe fn zero_all(plan: &Plan, pass: usize, call: &mut Call<'_>, parameters: &Parameters) -> Done {
    plan.zeroed(pass).try_for_each(|slot| {
        // SAFETY: the whole array, which the function writes.
        unsafe {
            let bytes = parameters.bytes_of(slot).unwrap_or(0);
            zero(call, parameters.address(slot), bytes)?;
            call.adds_to(parameters.address(slot));
            Ok(())
        }
    })
}

/// # Safety
/// There must be so many bytes, which the function may write.
pub unsafe fn zero(call: &mut Call<'_>, start: *mut u8, bytes: usize) -> Done {
    let blocks = bytes.div_ceil(4).div_ceil(BLOCK as usize).min(4096);
    let parameters = [start, ptr::without_provenance_mut(bytes)];
    // SAFETY: the bytes of these; the parameters match this kernel.
    unsafe {
        let parameters =
            slice::from_raw_parts(parameters.as_ptr().cast(), size_of_val(&parameters));
        launch(call, &ZERO, [blocks, BLOCK as usize], 0, parameters)
    }
}

/// Kernels stride over what is more than their blocks; without blocks there is nothing to do.
///
/// # Safety
/// The parameters must match the kernel.
unsafe fn launch(
    call: &mut Call<'_>,
    kernel: &'static Kernel,
    [blocks, threads]: [usize; 2],
    shared: usize,
    parameters: &[MaybeUninit<u8>],
) -> Done {
    if blocks == 0 {
        return Ok(());
    }
    let blocks = [blocks.min(i32::MAX as usize) as u32, 1, 1];
    let (threads, shared) = ([threads as u32, 1, 1], shared as u32);
    // SAFETY: the caller's.
    unsafe {
        call.launch(&c::Launch {
            kernel: kernel.row(),
            blocks,
            threads,
            shared,
            bytes: parameters.len(),
            parameters: parameters.as_ptr().cast(),
        })
    }
}
