//! The passes on the CPU, and the work of the thread of a call before them, on either side. Of panics of kernels nothing is printed, and the message says where they were.

use core::cell::{Cell, RefCell};
use core::ffi::c_int;
use core::ops::Range;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::string::String;
use std::sync::{Mutex, Once, PoisonError};
use std::{format, thread_local};

use super::prepare::{run_passes, work};
use super::state::Scratch;
use super::{Mode, Parameters, Pass, Plan, Unit, enter};
use crate::call::{Call, Done, Failure};
use crate::grid::Panic;
use crate::row::{Status, Value, c};

/// Elements from which on several threads share the work of a pass.
const MANY: usize = 1 << 16;

/// Runs the function on the CPU.
///
/// # Safety
/// The values must match the plan's declaration, in host memory.
pub unsafe fn on_cpu(plan: &Plan, call: *mut c::Call, values: *const Value) -> c_int {
    // SAFETY: the caller's.
    unsafe {
        enter(plan, call, values, |plan, call, values| {
            run_passes(plan, call, values, Scratch::OnCpu, run)
        })
    }
}

/// # Safety
/// The parameters must match the plan.
unsafe fn run(plan: &Plan, index: usize, call: &mut Call<'_>, parameters: &Parameters) -> Done {
    let pass = &plan.passes[index];
    if pass.unit == Unit::Over {
        for slot in plan.zeroed(index) {
            // SAFETY: the whole array, which the function writes.
            unsafe {
                let bytes = parameters.bytes_of(slot).unwrap_or(0);
                parameters.address(slot).write_bytes(0, bytes);
            }
        }
    }
    // SAFETY: the caller's.
    let units = unsafe { work(plan, index, parameters) }?.units;
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
        _ => blocks.min(unsafe { amount(plan, pass, parameters) } / (MANY / 2)),
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
unsafe fn amount(plan: &Plan, pass: &Pass, parameters: &Parameters) -> usize {
    let slots = plan.slots.iter().enumerate();
    let arrays = slots.filter(|(_, slot)| !matches!(slot.mode, Mode::scalar | Mode::counter));
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

thread_local! {
    static IN_KERNEL: Cell<bool> = const { Cell::new(false) };
    static MESSAGE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs a part of a kernel; what stops it becomes a failure.
pub fn guarded(run: impl FnOnce()) -> Done {
    keep_messages();
    let before = IN_KERNEL.replace(true);
    // A stopped kernel leaves incomplete results behind, nothing unsound.
    let done = catch_unwind(AssertUnwindSafe(run));
    IN_KERNEL.set(before);
    done.map_err(|payload| {
        let message = match payload.downcast::<Panic>() {
            Ok(panic) => panic.0,
            Err(_) => MESSAGE.take(),
        };
        Failure::new(Status::Runtime, message)
    })
}

/// The outcome of `f`, or what stopped it.
pub fn outcome_of(f: impl FnOnce() -> Done) -> Done {
    let mut outcome = Ok(());
    guarded(|| outcome = f())?;
    outcome
}

/// Keeps what a panic in a kernel says. Others are handled as before. The library does this when it is loaded: a
/// process that is forked in the middle of it waits for it for ever.
pub fn keep_messages() {
    static KEPT: Once = Once::new();
    KEPT.call_once(hook);
}

fn hook() {
    let others = panic::take_hook();
    panic::set_hook(std::boxed::Box::new(move |info| {
        if IN_KERNEL.get() {
            MESSAGE.set(message(info));
        } else {
            others(info);
        }
    }));
}

fn message(info: &PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let what = payload.downcast_ref::<&str>().copied();
    let what = what.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let what = what.unwrap_or("a kernel panicked");
    info.location().map_or_else(
        || what.into(),
        |place| {
            format!(
                "{}:{}: {what}",
                crate::grid::panic::file(place),
                place.line()
            )
        },
    )
}

/// Services for `host(call) { … }`.
pub struct Host<'a, 'b>(&'a mut Call<'b>);

impl Host<'_, '_> {
    /// Calls `task` with every number below `tasks`, on the threads of the CPU. The first failure ends
    /// it.
    ///
    /// # Errors
    /// The failure, or that the call was interrupted.
    pub fn parallel(&mut self, tasks: usize, task: impl Fn(usize) -> Done + Sync) -> Done {
        let failed = Mutex::new(None);
        let first = || failed.lock().unwrap_or_else(PoisonError::into_inner);
        let run = |index| {
            if first().is_none()
                && let Err(failure) = outcome_of(|| task(index))
            {
                first().get_or_insert(failure);
            }
        };
        let done = self.0.parallel(tasks, &run);
        let failed = first().take();
        failed.map_or(done, Err)
    }

    /// Ends the call where Ctrl-C was pressed: for long loops.
    ///
    /// # Errors
    /// Then.
    pub fn check_interrupt(&mut self) -> Done {
        if self.0.interrupted() {
            return Err(Failure::interrupted());
        }
        Ok(())
    }
}

/// The part of a function that the thread of a call runs.
pub type HostBody = unsafe fn(&mut Host<'_, '_>, &Parameters<'_>) -> Done;

/// Runs the body of the function of this name.
///
/// # Safety
/// The parameters must match the function.
#[inline(never)] // few functions have one
pub unsafe fn run_host(
    host: HostBody,
    function: &str,
    call: &mut Call<'_>,
    parameters: &Parameters,
) -> Done {
    // SAFETY: the caller's.
    let done = outcome_of(|| unsafe { host(&mut Host(call), parameters) });
    done.map_err(|failure| match failure.status() {
        Status::Interrupted => failure,
        status => Failure::new(status, format!("{function}(): {}", failure.message())),
    })
}
