//! The passes on the GPU.

use core::mem::MaybeUninit;

use super::packed::Packed;
use super::prepare::{Scratch, bytes_of, with_words, work};
use super::{Plan, Unit, Words};
use crate::row::{Call, Done, Launch, Value};

/// Threads of a block, and of a warp.
const BLOCK: usize = 256;
const WARP: usize = 32;

/// The kernel that sets memory to zeros: `zero.rs`.
pub const ZERO: &str = "kernels_zero";

/// Runs the function on the GPU.
///
/// # Safety
/// The values must be those of the plan's declaration, in memory of the GPU.
pub unsafe fn on_gpu(plan: &Plan, call: &mut dyn Call, values: &[Value]) -> Done {
    // SAFETY: the caller's.
    unsafe {
        with_words(plan, call, values, Scratch::OnGpu, |call, words| {
            (0..plan.passes.len()).try_for_each(|pass| run(plan, pass, call, words))
        })
    }
}

/// # Safety
/// The words must be those of the plan.
unsafe fn run(plan: &Plan, index: usize, call: &mut dyn Call, words: &[Words]) -> Done {
    let pass = &plan.passes[index];
    // SAFETY: the caller's.
    let work = unsafe { work(plan, index, words) }?;
    if pass.unit == Unit::Over {
        for slot in plan.zeroed(index) {
            let bytes = bytes_of(&plan.slots[slot], &words[slot]).unwrap_or(0);
            // SAFETY: the whole array, which the function writes.
            unsafe { zero(call, words[slot].address(), bytes) }?;
        }
    }
    let blocks = match pass.unit {
        Unit::Elements => work.units.div_ceil(pass.lanes).div_ceil(BLOCK),
        Unit::Threads => work.units.div_ceil(BLOCK),
        Unit::Warps => work.units.div_ceil(BLOCK / WARP),
        Unit::Over => work.units.div_ceil(8 * BLOCK).min(1024),
        Unit::Tiles | Unit::Blocks => work.units,
    };
    let mut parameters = Packed::new();
    parameters.put_all(plan.slots, words);
    // SAFETY: the parameters are those that the macro gave the kernel.
    unsafe { launch(call, pass.kernel, blocks, work.shared, parameters.bytes()) }
}

/// # Safety
/// There must be so many bytes, which the function may write.
#[inline(never)] // few passes need it
unsafe fn zero(call: &mut dyn Call, start: *mut u8, bytes: usize) -> Done {
    let blocks = bytes.div_ceil(4).div_ceil(BLOCK).min(4096);
    let mut parameters = Packed::new();
    parameters.put(0, &[start as u64], 8);
    parameters.put(8, &[bytes as u64], 8);
    // SAFETY: the parameters are those of this kernel.
    unsafe { launch(call, ZERO, blocks, 0, parameters.bytes()) }
}

/// Kernels stride over what is more than their blocks; without blocks there is nothing to do.
///
/// # Safety
/// The parameters must be those of the kernel.
unsafe fn launch(
    call: &mut dyn Call,
    kernel: &'static str,
    blocks: usize,
    shared: usize,
    parameters: &[MaybeUninit<u8>],
) -> Done {
    if blocks == 0 {
        return Ok(());
    }
    let blocks = [blocks.min(i32::MAX as usize) as u32, 1, 1];
    let (threads, shared) = ([BLOCK as u32, 1, 1], shared as u32);
    // SAFETY: the caller's.
    unsafe {
        call.launch(Launch {
            kernel,
            blocks,
            threads,
            shared,
            parameters,
        })
    }
}
