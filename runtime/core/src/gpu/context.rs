//! One GPU: its context, its kernels, the streams of threads, and where memory of others is.

use std::cell::RefCell;
use std::sync::Arc;
use std::{mem, ptr};

use cudarc::driver::result::{self, ctx};
use cudarc::driver::sys::{self, CUcontext, CUdevice_attribute, CUdeviceptr};
use cudarc::driver::{CudaContext, CudaStream};
use cuvec_spec::c;
use sys::CUpointer_attribute as Attribute;

use super::gather::GatherKernels;
use super::graph::{WITHOUT_STREAM, cannot_synchronize, is_capturing, release_ended};
use super::kernels::Kernels;
use super::stream::{Recorded, Stream};
use crate::error::{Error, Result};
use crate::fork;
use crate::gather::Gather;

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
        release_ended();
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

    /// Copies the elements of an array on a stream.
    ///
    /// # Safety
    /// The GPU must be current, the array be the GPU's to read, and `to` have room for its elements, until
    /// the stream has reached this.
    pub(crate) unsafe fn gather(
        &self,
        gather: &Gather,
        to: CUdeviceptr,
        stream: Stream,
    ) -> Result<()> {
        // SAFETY: the caller's.
        unsafe { self.gather_kernels.launch(gather, to, stream) }
    }

    pub(crate) fn context(&self) -> &Arc<CudaContext> {
        &self.context
    }
}

/// Puts the thread's previous context back when dropped.
pub struct Current {
    previous: Option<CUcontext>,
    changed: bool,
}

impl Current {
    /// Keeps the context as it is, whatever happens until the guard is dropped.
    pub(crate) fn remember() -> Result<Self> {
        cudarc::driver::result::init()?;
        let previous = ctx::get_current()?;
        Ok(Self {
            previous,
            changed: true,
        })
    }

    #[inline]
    pub(crate) fn set(context: CUcontext) -> Result<Self> {
        let previous = ctx::get_current()?;
        let changed = previous != Some(context);
        if changed {
            // SAFETY: a primary context that this process retains.
            unsafe { ctx::set_current(context) }?;
        }
        Ok(Self { previous, changed })
    }
}

impl Drop for Current {
    fn drop(&mut self) {
        if self.changed {
            // A context that its owner has destroyed meanwhile cannot be put back, and
            // nobody is left to be told.
            // SAFETY: a handle from the driver, or none.
            let _ = unsafe { ctx::set_current(self.previous.unwrap_or(ptr::null_mut())) };
        }
    }
}

thread_local! {
    static STREAMS: RefCell<Streams> = const { RefCell::new(Streams(Vec::new())) };
}

/// This thread's stream of every GPU, by index, and the number of forks before it was made.
struct Streams(Vec<Option<(usize, Arc<CudaStream>)>>);

impl Drop for Streams {
    /// In a forked process the streams are the parent's: CUDA must not be called to destroy them.
    fn drop(&mut self) {
        for (forks, stream) in self.0.drain(..).flatten() {
            if forks != fork::generation() {
                mem::forget(stream);
            }
        }
    }
}

impl Gpu {
    /// The calling thread's own stream, so that threads do not block each other. It lives as long
    /// as the thread.
    #[inline(never)]
    pub fn thread_stream(&self) -> Result<Stream> {
        STREAMS.with_borrow_mut(|Streams(streams)| {
            if streams.len() <= self.index {
                streams.resize(self.index + 1, None);
            }
            let slot = &mut streams[self.index];
            let stream = match slot {
                Some((_, stream)) => stream,
                empty => {
                    let _current = self.enter()?; // cudarc makes its own context the current one
                    let stream = self.context().new_stream()?;
                    &mut empty.insert((self.forks, stream)).1
                }
            };
            Ok(Stream(stream.cu_stream() as usize))
        })
    }

    /// Lets a stream wait for everything that is on another one now. This GPU must be current.
    pub(crate) fn join(&self, stream: Stream, other: Stream) -> Result<()> {
        let recorded = Recorded::on(self.index, other.raw())?;
        recorded.precede(stream.raw()) // who records it again changes nothing of this wait
    }

    /// Refuses a call without `stream=` while a graph is captured on what is another library's
    /// current stream: it would run now, and be no part of the graph.
    ///
    /// # Errors
    /// `Kind::Unavailable`.
    pub fn refuse_foreign_capture(&self, stream: Stream) -> Result<()> {
        if stream == Stream::LEGACY_DEFAULT {
            return Ok(()); // which captures nothing
        }
        let _current = self.enter()?;
        match is_capturing(stream.raw())? {
            true => Err(cannot_synchronize(WITHOUT_STREAM)),
            false => Ok(()),
        }
    }
}

impl Gpu {
    /// The index of the GPU whose memory has `bytes` bytes at `address`, be it this one or another.
    ///
    /// # Errors
    /// `Kind::Value` when the driver knows no such memory, or less of it.
    pub fn locate(&self, address: usize, bytes: usize) -> Result<usize> {
        let _current = self.enter()?;
        let mut range = Allocated::of(address)?;
        if range.end() <= address {
            return Err(Error::wrong_value(format_args!(
                "{address:#x} is not an address of GPU memory"
            )));
        }
        let index = usize::try_from(range.gpu)
            .map_err(|_| Error::wrong_value(format_args!("{address:#x} belongs to no GPU")))?;

        // Memory that was mapped piece by piece is several allocations, one after the other.
        let end = address.checked_add(bytes);
        while end.is_none_or(|end| range.end() < end) {
            let reached = range.end();
            range = Allocated::of(reached)?;
            if range.end() <= reached {
                return Err(Error::wrong_value(format_args!(
                    "the array claims {bytes} bytes at {address:#x}, but only {} of them are GPU memory",
                    reached - address
                )));
            }
        }
        Ok(index)
    }
}

/// Memory of an address, as the driver knows it.
struct Allocated {
    /// Negative when it belongs to none.
    gpu: i32,
    /// Start of the memory that was allocated together.
    start: usize,
    /// Start and size are 0 when the driver knows no such memory.
    size: usize,
}

impl Allocated {
    /// Asks all at once: a call on another library's array waits for it.
    fn of(address: usize) -> Result<Self> {
        let mut range = Self {
            gpu: -1,
            start: 0,
            size: 0,
        };
        let mut attributes = [
            Attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
            Attribute::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
            Attribute::CU_POINTER_ATTRIBUTE_RANGE_SIZE,
        ];
        let mut values = [
            ptr::from_mut(&mut range.gpu).cast(),
            ptr::from_mut(&mut range.start).cast(),
            ptr::from_mut(&mut range.size).cast(),
        ];
        // SAFETY: the driver writes an `int`, an address and a size; it looks the address up and
        // does not follow it.
        unsafe {
            sys::cuPointerGetAttributes(
                3,
                attributes.as_mut_ptr(),
                values.as_mut_ptr(),
                address as u64,
            )
            .result()?;
        }
        Ok(range)
    }

    fn end(&self) -> usize {
        self.start + self.size
    }
}
