//! What a kernel reports: a problem that one of its threads noticed before it ended.
//!
//! The kernels have a variable, which tells them where to write.

use std::ffi::CStr;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use cudarc::driver::{result, sys};

use crate::error::{Kind, Result};

/// The kernels' variable: the address of a [`Report`], and whether a thread has begun it.
const VARIABLE: &CStr = c"KERNEL_REPORT";

/// The first problem of a thread, in host memory that the GPU writes.
#[repr(C)]
struct Report {
    /// 0: nothing. 1: everything else is written.
    state: AtomicU32,
    problem: u32,
    line: u32,
    file_length: u32,
    left: u64,
    right: u64,
    file: [u8; 224],
}

/// Where the kernels of one GPU report to, and what they have reported.
///
/// It is one report, and does not say of which call it is. So that no call whose
/// kernel failed ends well, it is an error of every call that was under way when it was found.
pub(super) struct Reports {
    /// As long as the process, as the GPU.
    report: *const Report,
    variable: sys::CUdeviceptr,
    /// Goes up when one is found, and again when it is clear for the next: it is odd in between,
    /// when nobody hears of another one.
    count: AtomicU64,
    last: Mutex<String>,
}

// SAFETY: `state` decides who reads the report and when it is written.
unsafe impl Send for Reports {}
// SAFETY: as above.
unsafe impl Sync for Reports {}

impl Reports {
    /// Prepares for reports of these kernels. Their context is current.
    pub fn of(module: sys::CUmodule) -> Result<Self> {
        // SAFETY: a live module.
        let (variable, _) = unsafe { result::module::get_global(module, VARIABLE.into()) }?;
        let flags = sys::CU_MEMHOSTALLOC_PORTABLE | sys::CU_MEMHOSTALLOC_DEVICEMAP;
        // SAFETY: the memory is never freed, and zeros are a report.
        let report = unsafe {
            let report = result::malloc_host(size_of::<Report>(), flags)?.cast::<Report>();
            report.write_bytes(0, 1);
            report
        };
        let reports = Self {
            report,
            variable,
            count: AtomicU64::new(0),
            last: Mutex::default(),
        };
        reports.arm()?;
        Ok(reports)
    }

    /// What [`Reports::check`] is told of the time before a call launched.
    pub fn count(&self) -> u64 {
        self.count.load(Ordering::Acquire)
    }

    /// Returns what was found since then, as an error, and clears it for the next.
    pub fn check(&self, since: u64) -> Result<()> {
        // SAFETY: the GPU writes only while `state` is 0 and the variable says so.
        let report = unsafe { &*self.report };
        // In this order: who finds a report counts it before it clears it.
        let found = report.state.load(Ordering::Acquire) != 0;
        if !found && since.is_multiple_of(2) && self.count() == since {
            return Ok(());
        }
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if report.state.load(Ordering::Acquire) != 0 {
            *last = report.message();
            self.count.fetch_add(1, Ordering::Release);
            report.state.store(0, Ordering::Release);
            let armed = self.arm();
            self.count.fetch_add(1, Ordering::Release);
            armed?;
        }
        // Whoever comes here has seen the report, or that one was counted.
        Err(Kind::Kernel(last.clone()).into())
    }

    fn arm(&self) -> Result<()> {
        // SAFETY: the variable has this size.
        Ok(unsafe { result::memcpy_htod_sync(self.variable, &[self.report as u64, 0]) }?)
    }
}

impl Report {
    fn message(&self) -> String {
        let (left, right) = (self.left, self.right);
        let what = match self.problem {
            1 => format!("there is no element {left} in an array of {right}"),
            4 => format!("an element {left} away is not near: the declaration says {right}"),
            2 => format!("arrays of {left} and of {right} elements differ in length"),
            _ => return "a kernel panicked".to_owned(),
        };
        let length = self.file.len().min(self.file_length as usize);
        let file = String::from_utf8_lossy(&self.file[..length]);
        format!("{file}:{}: {what}", self.line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(problem: u32) -> Report {
        let mut file = [0; 224];
        file[..4].copy_from_slice(b"a.rs");
        Report {
            state: AtomicU32::new(1),
            problem,
            line: 7,
            file_length: 4,
            left: 5,
            right: 3,
            file,
        }
    }

    #[test]
    fn messages_say_what_and_where() {
        let message = report(1).message();
        assert_eq!(message, "a.rs:7: there is no element 5 in an array of 3");
        assert_eq!(report(3).message(), "a kernel panicked");
        assert_eq!(size_of::<Report>(), 256);
    }
}
