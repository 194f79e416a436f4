//! One function call on the GPU, from ordering its stream to waiting for its end.

mod scratch;
mod staging;

use std::mem;
use std::sync::Arc;

use cudarc::driver::sys::CUdeviceptr;
use cuvec_spec::DType;

use crate::array::{Array, Place};
use crate::device;
use crate::error::Result;
use crate::gather::Gather;
use crate::gpu::graph::{self, FOR_HOST_ARRAYS, Graph, Owner, cannot_synchronize, is_capturing};
use crate::gpu::{Current, Gpu, Mark, Stream};
use crate::memory::Block;
use crate::retained::{self, Kept};
use scratch::Scratch;
use staging::Staging;
pub use staging::Use;

/// Orders a call on its stream, copies arrays in host memory for the GPU and back, and
/// synchronizes at the end unless the caller named a stream.
///
/// Code that only some calls need is never inlined: the code that all of them run through is short
/// then, and comes back into the processor's caches soon after the driver has had them.
///
/// ```text
/// let mut call = StreamCall::new(gpu, stream, &[Some(x), Some(y)]);
/// call.begin()?;
/// let px = call.address(x, Use::READ)?;
/// let py = call.address(y, Use::READ_AND_WRITTEN)?;
/// // launch on call.stream() with px and py
/// call.finish()
/// ```
pub struct StreamCall<'a> {
    gpu: &'a Gpu,
    /// The thread's own, of a synchronous call: known once it has begun.
    stream: Stream,
    asynchronous: bool,
    /// Problems that kernels had reported before.
    reported: u64,
    /// Graph that the call becomes part of, once somebody had to know.
    graph: Option<Option<Graph>>,
    /// Empty if none of them is in a block.
    arrays: &'a [Option<&'a Array>],
    /// State that only some calls have.
    more: Option<Box<More<'a>>>,
    /// It has begun, and has not been finished.
    under_way: bool,
    current: Option<Current>,
}

/// Memory that a call has besides its arrays.
#[derive(Default)]
struct More<'a> {
    staging: Option<Staging<'a>>,
    fetched: Vec<Fetched>,
    scratch: Scratch,
    kept: Vec<Kept>,
}

/// Memory of the GPU that kernels write, and where its contents belong.
struct Fetched {
    from: CUdeviceptr,
    to: usize,
    dtype: DType,
    count: usize,
}

impl<'a> StreamCall<'a> {
    /// A call on `stream`, or on the thread's own, which is still to [`begin`](Self::begin).
    pub fn new(gpu: &'a Gpu, stream: Option<Stream>, arrays: &'a [Option<&'a Array>]) -> Self {
        Self {
            gpu,
            stream: stream.unwrap_or_default(),
            asynchronous: stream.is_some(),
            reported: 0,
            graph: None,
            arrays,
            more: None,
            under_way: false,
            current: None,
        }
    }

    /// Starts it after what the arrays declare to be ready after. Without a stream
    /// it also comes after earlier calls on any stream that use the arrays.
    ///
    /// # Errors
    /// CUDA's, and `Kind::Kernel` when a kernel of an earlier call has reported a problem.
    pub fn begin(&mut self) -> Result<()> {
        graph::release_ended();
        retained::release_done();
        let gpu = self.gpu;
        self.current = Some(gpu.enter()?);
        gpu.check_earlier()?;
        let asynchronous = self.asynchronous;
        if !asynchronous {
            self.stream = gpu.thread_stream()?;
        }
        let stream = self.stream;
        let (mut joined, mut with_large, mut in_blocks) = (stream, false, false);
        for array in self.arrays.iter().flatten() {
            with_large |= array.is_large();
            in_blocks |= matches!(array.place, Place::Block(_));
            if let Some(ready) = array.ready
                && ready != joined
                && self.join(ready)?
            {
                joined = ready;
            }
        }
        if !in_blocks {
            self.arrays = &[];
        }
        // The legacy default stream must not be used while some others capture: to ask is what says
        // so, before there is a call that would synchronize when it is dropped.
        let asks = asynchronous && (in_blocks || stream == Stream::LEGACY_DEFAULT);
        if asks {
            self.graph = Some(Graph::of(stream.raw())?);
        }
        if in_blocks {
            self.begin_with_blocks(with_large)?;
        }
        self.reported = gpu.reported();
        self.under_way = true;
        Ok(())
    }

    /// Has the call come after what is on another stream now. Returns whether that is needed: the
    /// legacy default stream is part of no graph, and what is captured finds its arrays ready.
    #[inline(never)]
    fn join(&self, ready: Stream) -> Result<bool> {
        let stream = self.stream;
        if ready == stream || (ready == Stream::LEGACY_DEFAULT && is_capturing(stream.raw())?) {
            return Ok(false);
        }
        if !self.asynchronous {
            self.gpu.refuse_foreign_capture(ready)?;
        }
        self.gpu.join(stream, ready)?;
        Ok(true)
    }

    /// Begins with memory of ours, which may have to be synchronized, retained or migrated.
    #[inline(never)]
    fn begin_with_blocks(&self, with_large: bool) -> Result<()> {
        // First of all: what fails after it leaves memory retained too long, and never too short.
        if let Some(Some(graph)) = self.graph {
            let blocks = one_of_each_block(self.arrays).map(|(block, _)| block.clone() as Owner);
            graph::retain(graph.life()?, blocks.collect());
        }
        for (block, array) in one_of_each_block(self.arrays) {
            if !self.asynchronous {
                block.synchronize()?;
            }
            block.before_call(array.range(), with_large, self.gpu, self.stream)?;
        }
        Ok(())
    }

    /// None of a synchronous call.
    fn graph(&mut self) -> Result<Option<Graph>> {
        if let Some(graph) = self.graph {
            return Ok(graph);
        }
        let graph = match self.asynchronous {
            true => Graph::of(self.stream.raw())?,
            false => None,
        };
        self.graph = Some(graph);
        Ok(graph)
    }

    /// Makes the call synchronous also on a stream of the caller's. `way_out` is what
    /// callers can do where that cannot be.
    pub fn make_synchronous(&mut self, way_out: &str) -> Result<()> {
        self.refuse_graph(way_out)?;
        self.asynchronous = false;
        Ok(())
    }

    /// Refuses to be part of a graph.
    pub fn refuse_graph(&mut self, way_out: &str) -> Result<()> {
        match self.graph()? {
            Some(_) => Err(cannot_synchronize(way_out)),
            None => Ok(()),
        }
    }

    /// The stream to launch on.
    pub fn stream(&self) -> Stream {
        self.stream
    }

    /// The address of an array for the kernel.
    pub fn address(&mut self, array: &'a Array, used: Use) -> Result<CUdeviceptr> {
        match array.place {
            Place::Host => self.stage(array, used),
            _ => Ok(array.address as CUdeviceptr),
        }
    }

    #[inline(never)]
    fn stage(&mut self, array: &'a Array, used: Use) -> Result<CUdeviceptr> {
        if self.graph()?.is_some() {
            return Err(cannot_synchronize(FOR_HOST_ARRAYS));
        }
        let more = self.more.get_or_insert_default();
        let staging = || Staging::new(self.gpu, self.stream);
        more.staging.get_or_insert_with(staging).add(array, used)
    }

    /// Memory of the GPU for elements that belong to the host's at `to`, where they are once the call is done: threads that
    /// add to them there would wait for the bus.
    #[inline(never)]
    pub fn fetched(&mut self, to: usize, dtype: DType, count: usize) -> Result<CUdeviceptr> {
        let from = self.memory(count * dtype.size())?;
        self.more.get_or_insert_default().fetched.push(Fetched {
            from,
            to,
            dtype,
            count,
        });
        Ok(from)
    }

    /// By a kernel: the driver takes longer for a copy to managed memory.
    fn fetch(&mut self) -> Result<()> {
        let Some(more) = &mut self.more else {
            return Ok(());
        };
        for Fetched {
            from,
            to,
            dtype,
            count,
        } in more.fetched.drain(..)
        {
            let gather = Gather::dense(from as usize, dtype, count);
            // SAFETY: begun, so that the GPU is current; as many elements, which outlive the call.
            unsafe { self.gpu.gather(&gather, to as CUdeviceptr, self.stream)? };
        }
        Ok(())
    }

    /// Memory of the GPU until the call is done, or until another body of it runs.
    pub fn scratch(&mut self, bytes: usize) -> Result<CUdeviceptr> {
        let more = self.more.get_or_insert_default();
        if let Some(address) = more.scratch.again(bytes) {
            return Ok(address);
        }
        let address = self.memory(bytes)?;
        let more = self.more.get_or_insert_default();
        more.scratch.used(address, bytes);
        Ok(address)
    }

    /// Memory of the GPU until the call is done.
    pub fn memory(&mut self, bytes: usize) -> Result<CUdeviceptr> {
        let (gpu, stream, graph) = (self.gpu, self.stream, self.graph()?);
        let scratch = &mut self.more.get_or_insert_default().scratch;
        if !self.asynchronous {
            return scratch.pooled(gpu, bytes);
        }
        if let Some(graph) = graph {
            return scratch.captured(gpu, graph, stream, bytes);
        }
        // The driver may have no such memory, or the pool may have what it lacks.
        let address = scratch.in_order(stream, bytes);
        address.or_else(|_| scratch.pooled_until_synchronized(gpu, bytes))
    }

    /// Another body of the call runs, which comes after those before it on the stream.
    pub fn reuse_scratch(&mut self) {
        if let Some(more) = &mut self.more {
            more.scratch.reuse();
        }
    }

    /// The address of a copy, in the order of C, of an array that the GPU can read.
    #[inline(never)]
    pub fn copied(&mut self, array: &Array, name: &str) -> Result<CUdeviceptr> {
        let gather = Gather::of(name, array)?;
        let to = self.memory(array.bytes())?;
        // SAFETY: begun, so that the GPU is current; as much memory as the array has elements.
        unsafe { self.gpu.gather(&gather, to, self.stream)? };
        Ok(to)
    }

    /// Keeps something until the call is done.
    pub fn keep(&mut self, kept: Kept) {
        self.more.get_or_insert_default().kept.push(kept);
    }

    /// A mark behind the call as it is now; none where it is waited for.
    pub fn mark(&self) -> Result<Option<Mark>> {
        let gpu = || device::gpu(self.gpu.index)?.mark(self.stream);
        self.asynchronous.then(gpu).transpose()
    }

    /// Copies results back to host arrays and synchronizes. With a stream of the caller's and no host
    /// array it does neither.
    pub fn finish(&mut self) -> Result<()> {
        self.fetch()?;
        let freed = self.free_scratch();
        let synchronous = !self.asynchronous || self.staging().is_some();
        if synchronous {
            self.come_to_an_end()?;
        }
        freed?;
        self.leave_kept(synchronous)?;
        self.under_way = false;
        if !self.arrays.is_empty() {
            self.leave_blocks(synchronous);
        }
        Ok(())
    }

    fn leave_kept(&mut self, ended: bool) -> Result<()> {
        let keeps = self.more.as_ref().is_some_and(|it| !it.kept.is_empty());
        if !ended
            && keeps
            && let Some(mark) = self.mark()?
            && let Some(more) = &mut self.more
        {
            retained::keep_until(vec![mark], Box::new(mem::take(&mut more.kept)));
        }
        Ok(())
    }

    fn free_scratch(&mut self) -> Result<()> {
        match &mut self.more {
            Some(more) => more.scratch.end(self.stream),
            None => Ok(()),
        }
    }

    fn staging(&mut self) -> Option<&mut Staging<'a>> {
        self.more.as_mut()?.staging.as_mut()
    }

    #[inline(never)]
    fn come_to_an_end(&mut self) -> Result<()> {
        let begun = self.staging().map_or(Ok(()), Staging::begin_return);
        // Even after an error nothing may still run that uses the arrays.
        self.synchronize().and(begun)?;
        if let Some(staging) = self.staging() {
            staging.finish_return();
        }
        Ok(())
    }

    #[inline(never)]
    fn leave_blocks(&self, ended: bool) {
        for (block, array) in one_of_each_block(self.arrays) {
            block.after_call(array.range(), ended);
        }
    }

    /// The call has failed and its error is on the way to the caller; this synchronizes so that nothing uses
    /// the arrays any more, and can add nothing to that error.
    #[cold]
    fn abandon(&mut self) {
        let _ = self.free_scratch();
        // A stream that may not even be asked is not synchronized: during a capture the legacy default
        // stream is such a one, and to synchronize it would invalidate that capture.
        let captures = || is_capturing(self.stream.raw()).unwrap_or(true);
        if !(self.asynchronous && captures()) {
            let _ = self.synchronize();
        } else if self.leave_kept(false).is_err()
            && let Some(more) = &mut self.more
        {
            mem::forget(mem::take(&mut more.kept)); // nobody can say when it is over
        }
    }

    fn synchronize(&self) -> Result<()> {
        self.gpu.synchronize_stream(self.stream, self.reported)
    }
}

/// The blocks that arrays are in, each once, with an array in it.
fn one_of_each_block<'a>(
    arrays: &'a [Option<&'a Array>],
) -> impl Iterator<Item = (&'a Arc<Block>, &'a Array)> {
    let in_block = |slot: &Option<&'a Array>| match &(*slot)?.place {
        Place::Block(block) => Some((block, (*slot)?)),
        _ => None,
    };
    arrays.iter().enumerate().filter_map(move |(index, slot)| {
        let (block, array) = in_block(slot)?;
        let mut before = arrays[..index].iter().filter_map(in_block);
        let is_new = !before.any(|(other, _)| Arc::ptr_eq(other, block));
        is_new.then_some((block, array))
    })
}

impl Drop for StreamCall<'_> {
    fn drop(&mut self) {
        if self.under_way {
            self.abandon();
        }
    }
}
