//! The passes on the GPU.

use core::ffi::c_int;

use super::prepare::{run_passes, work};
use super::state::{Scratch, launch, zero};
use super::{Parameters, Pipeline, Unit, enter, walk};
use crate::call::{Call, Done};
use crate::grid::Loaded;
use crate::row::{Value, c};

/// Blocks of a pass whose threads go from one element to the next. Where they begin takes a division, so more is not faster.
const MOST_BLOCKS: usize = 1 << 14;

/// Blocks in the first dimension of a grid.
const MOST: usize = i32::MAX as usize;

/// Runs the function on the GPU.
///
/// # Safety
/// The values must match the pipeline's declaration, in memory of the GPU.
pub unsafe fn on_gpu(pipeline: &Pipeline, call: *mut c::Call, values: *const Value) -> c_int {
    // SAFETY: the caller's.
    unsafe {
        enter(
            pipeline,
            call,
            values,
            |pipeline, call, values| match call.walk() {
                None => run_passes(pipeline, call, values, Scratch::OnGpu, run),
                Some(walk) => walk::on_gpu(pipeline, call, values, &walk),
            },
        )
    }
}

/// # Safety
/// The parameters must match the pipeline.
#[inline(always)] // in `on_gpu`: what is launched returns through fewer functions
unsafe fn run(
    pipeline: &Pipeline,
    index: usize,
    call: &mut Call<'_>,
    parameters: &Parameters,
) -> Done {
    let pass = &pipeline.passes[index];
    // SAFETY: the caller's.
    let work = unsafe { work(pipeline, index, parameters) }?;
    // A power of two, and a division takes longer.
    let mut blocks = (work.units + (pass.per_block - 1)) >> pass.per_block.trailing_zeros();
    if pass.unit == Unit::Elements {
        // SAFETY: the caller's.
        let done = unsafe { walk::without_packs(pipeline, pass, call, parameters, work.units) };
        if let Some(done) = done {
            return done;
        }
    } else if pass.unit == Unit::Threads {
        blocks = blocks.min(MOST_BLOCKS);
    } else if pass.unit == Unit::Over {
        blocks = match work.blocks {
            Some(chosen) if blocks > 0 => chosen,
            _ => blocks.min(1024),
        };
        // SAFETY: the caller's.
        unsafe { zero_all(pipeline, index, call, parameters) }?;
    }
    let bytes = parameters.bytes();
    let (loaded, grid) = match work.rows {
        Some(rows) => {
            let (loaded, threads) = rows.launch();
            (loaded, grid_of_rows(work.units, threads))
        }
        None => (
            Loaded::Singly,
            [[blocks.min(MOST), 1], [pass.threads as usize, 1]],
        ),
    };
    let kernel = &pass.kernels[loaded as usize];
    // SAFETY: the parameters are those that the macro gave the kernel.
    unsafe { launch(call, kernel, grid, work.shared + pass.memory, bytes) }
}

/// Blocks and threads in two dimensions, for so many threads of each row and rows of each block.
fn grid_of_rows(rows: usize, [threads, together]: [usize; 2]) -> [[usize; 2]; 2] {
    let blocks = rows.div_ceil(together);
    let across = blocks.min(MOST);
    [
        [across, blocks.div_ceil(across.max(1))],
        [threads, together],
    ]
}

/// Sets what a pass adds to to zeros.
///
/// # Safety
/// As for [`run`].
#[inline(never)] // few passes need it
unsafe fn zero_all(
    pipeline: &Pipeline,
    pass: usize,
    call: &mut Call<'_>,
    parameters: &Parameters,
) -> Done {
    pipeline.zeroed(pass).try_for_each(|slot| {
        // SAFETY: the whole array, which the function writes.
        unsafe {
            let bytes = parameters.bytes_of(slot).unwrap_or(0);
            zero(call, parameters.address(slot), bytes)?;
            call.adds_to(parameters.address(slot));
            Ok(())
        }
    })
}
