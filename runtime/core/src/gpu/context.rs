//! One GPU: its context and its kernels.

use std::sync::Arc;

use cudarc::driver::{CudaContext, result, sys::CUdevice_attribute};
use cuvec_spec::c;

use super::current::Current;
use super::gather::GatherKernels;
use super::kernels::Kernels;
use super::retained;
use super::stream::Stream;
use crate::error::Result;
use crate::fork;

/// A GPU that this process uses, for as long as it lives.
pub struct Gpu {
    pub index: usize,
    /// The product name.
    pub name: String,
    /// Its compute capability, such as 9.0.
    pub capability: (i32, i32),
    /// Bytes of its memory.
    pub memory: usize,
    /// True if the host may touch managed memory while the GPU works. Where it may not (Windows,
    /// WSL), pinned memory takes the place of managed memory.
    pub shares_managed_memory: bool,
    /// The number of forks before it was opened: a GPU is a process's own.
    pub(crate) forks: usize,
    context: Arc<CudaContext>,
    kernels: Kernels,
    gather_kernels: GatherKernels,
}

impl Gpu {
    pub(crate) fn open(index: usize) -> Result<Self> {
        let previous = Current::remember()?;
        let context = CudaContext::new(index)?;
        // SAFETY: no `CudaSlice` is shared between streams here: calls order their streams.
        unsafe { context.disable_event_tracking() };
        let gpu = Self {
            index,
            name: context.name()?,
            capability: context.compute_capability()?,
            memory: context.total_mem()?,
            shares_managed_memory: context
                .attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS)?
                != 0,
            forks: fork::generation(),
            kernels: Kernels::load(&context)?,
            gather_kernels: GatherKernels::default(),
            context,
        };
        drop(previous);
        Ok(gpu)
    }

    /// Makes this GPU's context the calling thread's until the guard is dropped.
    #[inline]
    pub fn enter(&self) -> Result<Current> {
        Current::set(self.context.cu_ctx())
    }

    /// Waits until this GPU has finished everything.
    pub fn synchronize(&self) -> Result<()> {
        retained::release_ended();
        let _current = self.enter()?;
        let reported = self.reported();
        self.context.synchronize()?;
        self.kernels.reports.check(reported)
    }

    /// As [`Gpu::synchronize`], and leaves what kernels report to those who synchronize with them.
    pub(crate) fn synchronize_all(&self) -> Result<()> {
        let _current = self.enter()?;
        Ok(self.context.synchronize()?)
    }

    /// How many problems kernels have reported: what [`Gpu::synchronize_stream`] is told.
    pub(crate) fn reported(&self) -> u64 {
        self.kernels.reports.count()
    }

    /// Returns the reports of earlier calls' kernels as an error, before another call begins.
    #[inline]
    pub(crate) fn check_earlier(&self) -> Result<()> {
        self.kernels.reports.check_earlier()
    }

    /// Where kernels report to, in memory of this GPU.
    pub(crate) fn report_slot(&self) -> *mut c::ReportSlot {
        self.kernels.reports.slot()
    }

    /// Waits until `stream` has finished everything.
    ///
    /// # Errors
    /// `Kind::Kernel` when a kernel has reported a problem since there were so many, on whichever
    /// stream it was.
    pub(crate) fn synchronize_stream(&self, stream: Stream, reported: u64) -> Result<()> {
        // SAFETY: a live stream. cudarc's own function may return an earlier error and not block.
        unsafe { result::stream::synchronize(stream.raw()) }?;
        self.kernels.reports.check(reported)
    }

    /// Launches a kernel.
    ///
    /// # Safety
    /// The parameters must match the kernel.
    pub(crate) unsafe fn launch(&self, stream: Stream, launch: &c::Launch) -> Result<()> {
        // SAFETY: the caller's.
        unsafe { self.kernels.launch(stream, launch) }
    }

    pub(super) fn gather_kernels(&self) -> &GatherKernels {
        &self.gather_kernels
    }

    pub(crate) fn context(&self) -> &Arc<CudaContext> {
        &self.context
    }
}
