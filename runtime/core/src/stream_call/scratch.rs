//! Memory for the work of one call on the GPU.

use std::sync::{Arc, Weak};

use cudarc::driver::result;
use cudarc::driver::sys::CUdeviceptr;

use crate::error::{Error, Result};
use crate::fork::Lock;
use crate::gpu::graph::{self, Graph, Uncaptured};
use crate::gpu::{Gpu, Stream};
use crate::memory::Block;

/// The pieces that a call has asked for.
///
/// A synchronous call takes them from the pool. Others take them in the order of their
/// stream: then they are free for the stream's next call without synchronizing. A graph that captures
/// the call retains them.
#[derive(Default)]
pub(super) struct Scratch {
    /// Until the call is synchronized, or else until the GPU is, or as long as a graph lives.
    pooled: Vec<Arc<Block>>,
    in_order: Vec<CUdeviceptr>,
    /// Scratch memory of the call's bodies, with its size; and how much the current one uses.
    pieces: Vec<(CUdeviceptr, usize)>,
    in_use: usize,
}

impl Scratch {
    pub fn pooled(&mut self, gpu: &Gpu, bytes: usize) -> Result<CUdeviceptr> {
        let block = Block::scratch(gpu, bytes)?;
        let address = block.address() as CUdeviceptr;
        self.pooled.push(block);
        Ok(address)
    }

    /// As [`Scratch::pooled`], for an asynchronous call.
    #[cold]
    pub fn pooled_until_synchronized(&mut self, gpu: &Gpu, bytes: usize) -> Result<CUdeviceptr> {
        let address = self.pooled(gpu, bytes)?;
        self.pooled.iter().for_each(|block| block.expose());
        Ok(address)
    }

    /// As [`Scratch::pooled`], for a call that a graph captures.
    #[cold]
    pub fn captured(
        &mut self,
        gpu: &Gpu,
        graph: Graph,
        stream: Stream,
        bytes: usize,
    ) -> Result<CUdeviceptr> {
        let block = captured_block(gpu, graph, stream, bytes, &self.pooled)?;
        let address = block.address() as CUdeviceptr;
        self.pooled.push(block);
        Ok(address)
    }

    /// A piece that an earlier body of the call has used.
    pub fn again(&mut self, bytes: usize) -> Option<CUdeviceptr> {
        let mut free = self.pieces[self.in_use..].iter();
        let found = self.in_use + free.position(|&(_, size)| size >= bytes)?;
        self.pieces.swap(self.in_use, found);
        self.in_use += 1;
        Some(self.pieces[self.in_use - 1].0)
    }

    /// The body that runs uses a piece that is new.
    pub fn used(&mut self, address: CUdeviceptr, bytes: usize) {
        self.pieces.insert(self.in_use, (address, bytes));
        self.in_use += 1;
    }

    /// Another body runs, after those before it on the stream.
    pub fn reuse(&mut self) {
        self.in_use = 0;
    }

    pub fn in_order(&mut self, stream: Stream, bytes: usize) -> Result<CUdeviceptr> {
        // SAFETY: a live stream; `end` frees it there.
        let address = unsafe { result::malloc_async(stream.raw(), bytes.max(1)) }?;
        self.in_order.push(address);
        Ok(address)
    }

    /// Frees what was taken in the order of the stream, after what is on it now.
    #[inline(never)]
    pub fn end(&mut self, stream: Stream) -> Result<()> {
        let mut ended = Ok(());
        for address in self.in_order.drain(..) {
            // SAFETY: from the same stream, and not freed before.
            let freed = unsafe { result::free_async(address, stream.raw()) };
            ended = ended.and(freed.map_err(Error::from));
        }
        ended
    }
}

/// Blocks of the latest capture's calls on one of its streams, where the calls follow each other.
struct Latest {
    capture: u64,
    stream: Stream,
    blocks: Vec<Weak<Block>>,
}

static LATEST: Lock<Option<Latest>> = Lock::new(None);

/// A block that the graph retains, which calls before on the stream may have used, but not this one: it
/// has those `in_use`.
///
/// The driver's own memory of graphs is not for this: a graph with such memory can be no part of another
/// graph, as XLA has it.
fn captured_block(
    gpu: &Gpu,
    graph: Graph,
    stream: Stream,
    bytes: usize,
    in_use: &[Arc<Block>],
) -> Result<Arc<Block>> {
    let _uncaptured = Uncaptured::new(); // memory may be allocated
    let mut latest = LATEST.lock();
    let latest = match &mut *latest {
        Some(same) if (same.capture, same.stream) == (graph.capture(), stream) => same,
        other => other.insert(Latest {
            capture: graph.capture(),
            stream,
            blocks: Vec::new(),
        }),
    };
    let fits = |it: &Arc<Block>| {
        it.size() >= bytes
            && it.gpu() == Some(gpu.index)
            && !in_use.iter().any(|used| Arc::ptr_eq(it, used))
    };
    let free = latest.blocks.iter().filter_map(Weak::upgrade).find(fits);
    if let Some(block) = free {
        return Ok(block);
    }
    let block = Block::for_graph(gpu, bytes)?;
    graph::retain(graph.life()?, vec![block.clone()]);
    latest.blocks.push(Arc::downgrade(&block));
    Ok(block)
}
