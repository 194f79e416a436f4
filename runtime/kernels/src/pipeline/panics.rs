//! Panics of kernels on the CPU: nothing is printed of them, and the message says where they were.

use core::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::string::String;
use std::sync::Once;
use std::{format, thread_local};

use crate::call::{Done, Failure};
use crate::grid::Panic;
use crate::row::Status;

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
