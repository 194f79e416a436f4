//! The passes on the CPU.

use core::ffi::c_int;
use core::ops::Range;
use std::sync::{Mutex, PoisonError};

use super::panics::guarded;
use super::prepare::{run_passes, work};
use super::state::Scratch;
use super::{Parameters, Pass, Pipeline, Unit, enter, walk};
use crate::call::{Call, Done, Failure};
use crate::row::{Value, c};

/// Elements from which on several threads share the work of a pass.
const MANY: usize = 1 << 16;

/// Runs the function on the CPU.
///
/// # Safety
/// The values must match the pipeline's declaration, in host memory.
pub unsafe fn on_cpu(pipeline: &Pipeline, call: *mut c::Call, values: *const Value) -> c_int {
    // SAFETY: the caller's.
    unsafe {
        enter(
            pipeline,
            call,
            values,
            |pipeline, call, values| match call.walk() {
                None => run_passes(pipeline, call, values, Scratch::OnCpu, run),
                Some(walk) => walk::on_cpu(pipeline, call, values, &walk),
            },
        )
    }
}

/// # Safety
/// The parameters must match the pipeline.
unsafe fn run(
    pipeline: &Pipeline,
    index: usize,
    call: &mut Call<'_>,
    parameters: &Parameters,
) -> Done {
    let pass = &pipeline.passes[index];
    if pass.unit == Unit::Over {
        for slot in pipeline.zeroed(index) {
            // SAFETY: the whole array, which the function writes.
            unsafe {
                let bytes = parameters.bytes_of(slot).unwrap_or(0);
                parameters.address(slot).write_bytes(0, bytes);
            }
        }
    }
    // SAFETY: the caller's.
    let units = unsafe { work(pipeline, index, parameters) }?.units;
    let blocks = match pass.unit {
        Unit::Elements => units.div_ceil(2048),
        Unit::Threads => units.div_ceil(512),
        Unit::Warps => units.div_ceil(16),
        Unit::Over => units.div_ceil(2048).min(64),
        Unit::Tiles | Unit::Blocks => units,
    };
    let tasks = match blocks {
        0 | 1 => blocks, // a small call is quick
        // SAFETY: the caller's, who has bound the arrays.
        _ => blocks.min(unsafe { amount(pipeline, pass, parameters) } / (MANY / 2)),
    };
    if tasks <= 1 {
        // SAFETY: the caller's; all blocks are run once.
        return unsafe { here(pass, blocks, call, parameters) };
    }
    let size = blocks.div_ceil(tasks);
    let stopped = Mutex::new(None);
    call.parallel(tasks, &|task| {
        let (first, end) = (task * size, blocks.min(task * size + size));
        // SAFETY: the caller's; each task has blocks of its own.
        if let Err(failure) = unsafe { some(pass, parameters, first..end, blocks) } {
            *stopped.lock().unwrap_or_else(PoisonError::into_inner) = Some(failure);
        }
    })?;
    let stopped = stopped.into_inner().unwrap_or_else(PoisonError::into_inner);
    stopped.map_or(Ok(()), Err)
}

/// Runs all blocks on this thread.
///
/// # Safety
/// As for [`run`].
unsafe fn here(pass: &Pass, blocks: usize, call: &mut Call<'_>, parameters: &Parameters) -> Done {
    if pass.unit == Unit::Elements {
        // SAFETY: the caller's.
        return unsafe { some(pass, parameters, 0..blocks, blocks) };
    }
    for block in 0..blocks {
        if block > 0 && call.interrupted() {
            return Err(Failure::interrupted());
        }
        // SAFETY: the caller's.
        unsafe { some(pass, parameters, block..block + 1, blocks) }?;
    }
    Ok(())
}

/// Number of elements that a pass may come to: as many as the largest array has. Twice as many where the
/// code for each is more than an expression.
///
/// # Safety
/// As for [`run`].
unsafe fn amount(pipeline: &Pipeline, pass: &Pass, parameters: &Parameters) -> usize {
    let slots = pipeline.slots.iter().enumerate();
    let arrays = slots.filter(|(_, slot)| slot.mode.is_array());
    let largest = arrays
        // SAFETY: the caller's.
        .filter_map(|(index, slot)| Some(unsafe { parameters.bytes_of(index) }? / slot.size))
        .max();
    let weight = if matches!(pass.unit, Unit::Threads | Unit::Tiles) {
        2
    } else {
        1
    };
    largest.unwrap_or(0).saturating_mul(weight)
}

/// Runs some blocks; what stops one becomes a failure.
///
/// # Safety
/// As for [`run`].
unsafe fn some(pass: &Pass, parameters: &Parameters, some: Range<usize>, blocks: usize) -> Done {
    // SAFETY: the caller's.
    guarded(|| unsafe { (pass.run)(parameters, some, blocks) })
}
