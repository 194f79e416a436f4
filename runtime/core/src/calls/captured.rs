//! Memory for the work of calls that a CUDA graph captures.

use std::sync::{Arc, Weak};

use crate::error::Result;
use crate::fork::Lock;
use crate::gpu::capture::Uncaptured;
use crate::gpu::graph::Graph;
use crate::gpu::retained;
use crate::gpu::{Gpu, Stream};
use crate::memory::Block;

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
pub fn block(
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
    retained::retain(graph.life()?, vec![block.clone()]);
    latest.blocks.push(Arc::downgrade(&block));
    Ok(block)
}
