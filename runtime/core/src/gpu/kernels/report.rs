//! Reports of kernels: a problem that one of their threads has met before it ended.
//!
//! It is written to memory of the host. A slot in memory of the GPU says where that is, and
//! whether a thread has begun to write.

use std::ffi::CStr;
use std::io::{self, Write as _};
use std::mem::offset_of;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::{ptr, slice};

use cudarc::driver::{DriverError, result, sys};
use cuvec_spec::c::{Print, Report, ReportSlot};
use cuvec_spec::print::PRINTS;

use crate::error::{Kind, Result};
use crate::gpu::graph::Uncaptured;

/// Where the kernels of an image in Rust find the slot, a variable of the image.
const VARIABLE: &CStr = c"KERNEL_REPORT";

/// Where the kernels of one GPU report to, and what they have reported.
///
/// It is one report, and does not say of which call it is. So that no call whose
/// kernel failed ends well, it is an error of every call that was under way when it was found.
pub(in crate::gpu) struct Reports {
    /// As long as the process, as the GPU.
    report: *const Report,
    slot: sys::CUdeviceptr,
    /// Lines that they have printed.
    prints: *const Print,
    /// Goes up when one is found, and again when it is clear for the next: it is odd in between,
    /// when nobody hears of another one.
    count: AtomicU64,
    last: Mutex<String>,
}

// SAFETY: `state` decides who reads the report and when it is written.
unsafe impl Send for Reports {}
// SAFETY: `state` decides who reads and writes the report, and `last` is behind a lock.
unsafe impl Sync for Reports {}

impl Reports {
    /// Prepares for reports on the current GPU, of the kernels of these modules among others.
    pub fn of(modules: &[sys::CUmodule]) -> Result<Self> {
        // SAFETY: the memory is never freed, here and below.
        let slot = unsafe { result::malloc_sync(size_of::<ReportSlot>()) }?;
        let flags = sys::CU_MEMHOSTALLOC_PORTABLE | sys::CU_MEMHOSTALLOC_DEVICEMAP;
        // SAFETY: zeros are a report.
        let report = unsafe {
            let report = result::malloc_host(size_of::<Report>(), flags)?.cast::<Report>();
            report.write_bytes(0, 1);
            report
        };
        // SAFETY: the memory is never freed; zeros are lines that nobody has printed.
        let prints = unsafe {
            let prints = result::malloc_host(PRINTS * size_of::<Print>(), flags)?.cast::<Print>();
            prints.write_bytes(0, PRINTS);
            prints
        };
        let reports = Self {
            report,
            slot,
            prints,
            count: AtomicU64::new(0),
            last: Mutex::default(),
        };
        reports.arm()?;
        for &module in modules {
            reports.share(module)?;
        }
        Ok(reports)
    }

    /// Where the kernels look, in memory of the GPU.
    pub fn slot(&self) -> *mut ReportSlot {
        ptr::without_provenance_mut(self.slot as usize)
    }

    /// Returns the count to pass to [`Reports::check`] after a call, before it launches.
    pub fn count(&self) -> u64 {
        self.count.load(Ordering::Acquire)
    }

    /// Returns what is there before a call begins, as an error.
    #[inline]
    pub fn check_earlier(&self) -> Result<()> {
        match self.is_found() {
            false => Ok(()),
            true => self.check(self.count()),
        }
    }

    /// Returns what was found since then, as an error, and clears it for the next.
    pub fn check(&self, since: u64) -> Result<()> {
        if self.prints()[0].state.load(Ordering::Acquire) != 0 {
            self.print()?;
        }
        // In this order: who finds a report counts it before it clears it.
        if !self.is_found() && since.is_multiple_of(2) && self.count() == since {
            return Ok(());
        }
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_found() {
            // SAFETY: functions are named by constants of the library.
            *last = unsafe { self.report().message() };
            self.count.fetch_add(1, Ordering::Release);
            self.report().state.store(0, Ordering::Release);
            let armed = self.arm();
            self.count.fetch_add(1, Ordering::Release);
            armed?;
        }
        // Whoever comes here has seen the report, or that one was counted.
        Err(Kind::Kernel(last.clone()).into())
    }

    fn report(&self) -> &Report {
        // SAFETY: the GPU writes only while `state` is 0 and the slot says so.
        unsafe { &*self.report }
    }

    fn is_found(&self) -> bool {
        self.report().state.load(Ordering::Acquire) != 0
    }

    fn prints(&self) -> &[Print] {
        // SAFETY: the GPU writes only those whose `state` is 0.
        unsafe { slice::from_raw_parts(self.prints, PRINTS) }
    }

    /// Prints the lines that are there, to the standard output of the process, and makes room for others. Lines of
    /// kernels that run meanwhile may mix.
    #[cold]
    fn print(&self) -> Result<()> {
        let _last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let mut output = io::stdout().lock();
        for print in self.prints() {
            if print.state.load(Ordering::Acquire) != 0 {
                let _ = writeln!(output, "{}", print.line()); // or nobody reads it
                print.state.store(0, Ordering::Release);
            }
        }
        let printed = self.slot + offset_of!(ReportSlot, printed) as u64;
        let mut count = [0_u32];
        on_own_stream(|stream| {
            // SAFETY: a member of the slot, which lives, as the numbers do until the stream is done.
            unsafe { result::memcpy_dtoh_async(&mut count, printed, stream) }?;
            // SAFETY: a member of the slot, which lives, and a constant.
            unsafe { result::memcpy_htod_async(printed, &[0_u32], stream) }
        })?;
        let more = (count[0] as usize).saturating_sub(PRINTS);
        if more > 0 {
            let _ = writeln!(output, "and {more} lines more"); // as above
        }
        let _ = output.flush();
        Ok(())
    }

    /// Tells the kernels of a module where the slot is.
    fn share(&self, module: sys::CUmodule) -> Result<()> {
        // SAFETY: a live module.
        let (variable, _) = unsafe { result::module::get_global(module, VARIABLE.into()) }?;
        // SAFETY: the variable is an address.
        on_own_stream(|stream| unsafe { result::memcpy_htod_async(variable, &[self.slot], stream) })
    }

    /// Clears the slot.
    fn arm(&self) -> Result<()> {
        let words = [self.report as u64, 0, self.prints as u64];
        // SAFETY: the slot has this size.
        on_own_stream(|stream| unsafe { result::memcpy_htod_async(self.slot, &words, stream) })
    }
}

/// Has something done on a stream that nobody else knows, and waits for it: the caller may be about to launch in a
/// capture.
fn on_own_stream(
    f: impl FnOnce(sys::CUstream) -> std::result::Result<(), DriverError>,
) -> Result<()> {
    let _uncaptured = Uncaptured::new();
    let stream = result::stream::create(result::stream::StreamKind::NonBlocking)?;
    // SAFETY: the stream, which nobody uses afterwards.
    unsafe {
        let done = f(stream).and_then(|()| result::stream::synchronize(stream));
        result::stream::destroy(stream)?;
        Ok(done?)
    }
}
