//! One allocation, which arrays share.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{ptr, slice};

use super::expectation::Expectation;
use super::pending::Pending;
use super::placement::{self, Placement};
use super::pool::{self, Chunk};
use super::source::Source;
use super::{MemoryKind, Side};
use crate::device::{self, Device};
use crate::error::Result;
use crate::gpu::{Gpu, Stream};

/// Memory of at least the size asked for; goes back to the pool with its last owner, on
/// whichever thread that is.
pub struct Block {
    chunk: Chunk,
    kind: MemoryKind,
    pending: Pending,
    /// Another library has its address, and may still use it when we no longer do.
    exposed: AtomicBool,
    placement: Mutex<Placement>,
    smallest_to_migrate: usize,
}

impl Block {
    /// Allocates on the current device. The contents are undefined.
    pub fn allocate(bytes: usize, kind: MemoryKind) -> Result<Arc<Self>> {
        match device::current()? {
            Device::Cpu => Self::from_source(Source::Host, bytes, kind),
            Device::Gpu(gpu) => Self::allocate_on(gpu, bytes, kind),
        }
    }

    /// As [`Block::allocate`], on a GPU that need not be the current one.
    pub fn allocate_on(gpu: &Gpu, bytes: usize, kind: MemoryKind) -> Result<Arc<Self>> {
        let Gpu {
            index: gpu,
            shares_managed_memory: managed,
            ..
        } = *gpu;
        let source = match kind {
            MemoryKind::Managed if managed => Source::Managed { gpu },
            _ => Source::Pinned { gpu },
        };
        Self::from_source(source, bytes, kind)
    }

    /// Managed memory, where there is such, for a result of a function. `near` says that a large array of the call is on the GPU.
    pub(crate) fn result(
        gpu: &Gpu,
        bytes: usize,
        function: &Arc<Expectation>,
        near: bool,
    ) -> Result<Arc<Self>> {
        let index = gpu.index;
        if !gpu.shares_managed_memory || !placement::is_large(bytes) {
            return Self::allocate_on(gpu, bytes, MemoryKind::Managed);
        }
        let (source, on_gpu) = (Source::Managed { gpu: index }, function.is_on_gpu(near));
        let take = if on_gpu {
            pool::take_on_gpu
        } else {
            pool::take
        };
        let chunk = take(source, bytes)?;
        let placement = Placement::of_result(function.clone(), on_gpu, &chunk);
        Ok(Self::placed(chunk, MemoryKind::Managed, placement))
    }

    /// Memory of the host alone.
    pub(crate) fn on_host(bytes: usize) -> Result<Arc<Self>> {
        Self::from_source(Source::Host, bytes, MemoryKind::Managed)
    }

    /// Memory that only the GPU can address.
    pub(crate) fn scratch(gpu: &Gpu, bytes: usize) -> Result<Arc<Self>> {
        Self::from_source(
            Source::Device { gpu: gpu.index },
            bytes,
            MemoryKind::Managed,
        )
    }

    /// As [`Block::scratch`], while a stream captures a graph, when nothing can be synchronized.
    pub(crate) fn for_graph(gpu: &Gpu, bytes: usize) -> Result<Arc<Self>> {
        let source = Source::Device { gpu: gpu.index };
        Ok(Self::of(
            pool::take_at_once(source, bytes)?,
            MemoryKind::Managed,
        ))
    }

    fn from_source(source: Source, bytes: usize, kind: MemoryKind) -> Result<Arc<Self>> {
        Ok(Self::of(pool::take(source, bytes)?, kind))
    }

    fn of(chunk: Chunk, kind: MemoryKind) -> Arc<Self> {
        Self::placed(chunk, kind, Placement::default())
    }

    fn placed(chunk: Chunk, kind: MemoryKind, placement: Placement) -> Arc<Self> {
        Arc::new(Self {
            chunk,
            kind,
            pending: Pending::default(),
            exposed: AtomicBool::new(false),
            placement: Mutex::new(placement),
            smallest_to_migrate: placement::smallest_to_migrate(chunk.source, chunk.size),
        })
    }

    /// As [`Block::allocate`], filled with zeros.
    pub fn zeroed(bytes: usize, kind: MemoryKind) -> Result<Arc<Self>> {
        let block = Self::allocate(bytes, kind)?;
        // SAFETY: the chunk has at least `bytes` bytes, and nobody else knows it yet.
        unsafe { ptr::write_bytes(block.address() as *mut u8, 0, bytes) };
        Ok(block)
    }

    pub fn address(&self) -> usize {
        self.chunk.address
    }

    /// The first `len` bytes.
    ///
    /// # Safety
    /// The block must be in host memory and as long, and nothing else may use the bytes meanwhile.
    #[allow(clippy::mut_from_ref)] // the caller's to see to
    pub(crate) unsafe fn bytes(&self, len: usize) -> &mut [u8] {
        // SAFETY: the caller's.
        unsafe { slice::from_raw_parts_mut(self.address() as *mut u8, len) }
    }

    /// Bytes, at least as many as asked for.
    pub fn size(&self) -> usize {
        self.chunk.size
    }

    /// Checks whether all these addresses are in the block.
    pub fn contains(&self, range: Range<usize>) -> bool {
        self.address() <= range.start && range.end <= self.address() + self.size()
    }

    /// The kind that was asked for.
    pub fn kind(&self) -> MemoryKind {
        self.kind
    }

    /// The GPU that can address it, none for plain host memory.
    pub fn gpu(&self) -> Option<usize> {
        self.source().gpu()
    }

    /// True if it belongs on the GPU.
    pub(crate) fn is_on_gpu(&self) -> bool {
        self.placement().is_on_gpu()
    }

    fn source(&self) -> Source {
        self.chunk.source
    }

    fn placement(&self) -> MutexGuard<'_, Placement> {
        self.placement
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Migrates the memory of an array in the block, at these addresses, if it should be elsewhere for a
    /// call on `stream`. `with_large` says that an array of the call is large. The GPU must be current.
    pub(crate) fn before_call(
        &self,
        array: Range<usize>,
        with_large: bool,
        gpu: &Gpu,
        stream: Stream,
    ) -> Result<()> {
        if array.len() >= self.smallest_to_migrate {
            let mut placement = self.placement();
            if let Some(side) = placement.before_call(&array, with_large, stream)? {
                placement.migrate(side, gpu, array, stream)?;
            }
        }
        Ok(())
    }

    /// Remembers how a call has left an array in the block; `ended` says that nothing writes to it any
    /// more.
    pub(crate) fn after_call(&self, array: Range<usize>, ended: bool) {
        if !ended {
            self.pending.launch();
        } else if array.len() >= self.smallest_to_migrate {
            self.placement().after_end(&array);
        }
    }

    /// Migrates a part of the block because the caller says so, ordered on `stream` or on the thread's
    /// own, without waiting. Does nothing to memory that cannot migrate.
    pub fn prefetch(
        &self,
        side: Side,
        offset: usize,
        bytes: usize,
        stream: Option<Stream>,
    ) -> Result<()> {
        let Source::Managed { gpu } = self.source() else {
            return Ok(());
        };
        if bytes == 0 {
            return Ok(());
        }
        let gpu = device::gpu(gpu)?;
        let _current = gpu.enter()?;
        let stream = match stream {
            Some(stream) => stream,
            None => gpu.thread_stream()?,
        };
        let address = self.address() + offset;
        let mut placement = self.placement();
        placement.hint(side);
        placement.migrate(side, gpu, address..address + bytes, stream)
    }

    /// Waits for asynchronous calls of ours that may still use the block.
    pub fn synchronize(&self) -> Result<()> {
        if let Some(calls) = self.pending.calls()
            && let Some(gpu) = self.gpu()
        {
            device::gpu(gpu)?.synchronize()?;
            self.pending.end(calls);
        }
        Ok(())
    }

    /// Notes that another library has the address. The memory is then not reused before the GPU is
    /// synchronized.
    pub fn expose(&self) {
        self.exposed.store(true, Ordering::Release);
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        let busy = self.pending.calls().is_some() || *self.exposed.get_mut();
        let placement = self.placement.get_mut();
        let placement = placement.unwrap_or_else(PoisonError::into_inner);
        self.chunk.on_gpu = placement.is_on_gpu();
        self.chunk.fetched =
            placement.end(&(self.chunk.address..self.chunk.address + self.chunk.size));
        pool::release(self.chunk, busy);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_contains_its_own_addresses() {
        let block = Block::on_host(100_000).unwrap();
        let (start, size) = (block.address(), block.size());
        let end = start + size;
        assert!(size >= 100_000 && block.gpu().is_none() && !block.is_on_gpu());
        for (range, expected) in [
            (start..end, true),
            (start + 1..start + 2, true),
            (start - 1..end, false),
            (start..end + 1, false),
            (end..end + 1, false),
        ] {
            assert_eq!(block.contains(range), expected);
        }
    }

    #[test]
    fn kinds_of_memory_have_names() {
        for (kind, name) in [
            (MemoryKind::Managed, "managed"),
            (MemoryKind::Pinned, "pinned"),
        ] {
            assert_eq!(kind.name(), name);
            assert_eq!(MemoryKind::from_name(name), Some(kind));
        }
        assert_eq!(MemoryKind::from_name("host"), None);
    }
}
