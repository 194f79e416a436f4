//! Retains freed memory for the next array of about the same size.
//!
//! Small chunks are cut from slabs; none is smaller than a page, so that migrating one array between
//! host and GPU migrates no other. Memory that the GPU may still use is set aside until the GPU is
//! synchronized.

mod size;
mod store;

use std::iter;

use super::available;
use super::source::{self, Source};
use crate::device;
use crate::error::{Error, Kind, Result};
use crate::fork::{Lock, Locked};
use crate::gpu::{Gpu, graph};
pub use store::{Chunk, Statistics};
use store::{Slab, Store};

/// Bytes of a slab, and the largest chunk cut from one.
const SLAB: usize = 2 << 20;
const LARGEST_CUT: usize = SLAB / 2;

/// Chunks of a size that may be busy before the GPU is synchronized: to find one of them takes longer
/// the more there are.
const MOST_BUSY: usize = 64;

fn pool() -> Locked<'static, Store> {
    static POOL: Lock<Store> = Lock::new(Store::new());
    POOL.lock()
}

/// A chunk of at least `bytes` bytes, from the pool or else from its source, on the host if it is managed memory.
pub fn take(source: Source, bytes: usize) -> Result<Chunk> {
    let mut chunk = take_from(source, bytes, false)?;
    if chunk.on_gpu {
        (chunk.on_gpu, chunk.fetched) = (false, false);
        if let Err(error) = advise_back(&chunk) {
            pool().push(chunk, false);
            return Err(error);
        }
    }
    Ok(chunk)
}

/// As [`take`], of managed memory that is better on the GPU, and is there if the pool has such.
pub fn take_on_gpu(source: Source, bytes: usize) -> Result<Chunk> {
    take_from(source, bytes, true)
}

fn take_from(source: Source, bytes: usize, on_gpu: bool) -> Result<Chunk> {
    let exhausted = |error: Error| match error.kind() {
        Kind::Memory { .. } => source.exhausted(bytes), // and not what we have made of it
        _ => error,
    };
    let size = size::of_chunk(bytes).ok_or_else(|| source.exhausted(bytes))?;
    take_or_allocate(source, size, on_gpu).map_err(exhausted)
}

/// As [`take`], without waiting for the GPU, nor for memory that it still uses.
pub fn take_at_once(source: Source, bytes: usize) -> Result<Chunk> {
    let size = size::of_chunk(bytes).ok_or_else(|| source.exhausted(bytes))?;
    let free = pool().pop(source, size, false);
    free.map_or_else(|| allocate(source, size), Ok)
}

/// Undoes a migration to the GPU before a chunk is used again. The pages that are on the GPU come
/// back when the host touches them.
fn advise_back(chunk: &Chunk) -> Result<()> {
    let Source::Managed { gpu } = chunk.source else {
        return Ok(());
    };
    let gpu = device::gpu(gpu)?;
    let _current = gpu.enter()?;
    source::advise_host(gpu, chunk.address, chunk.size)
}

fn take_or_allocate(source: Source, size: usize, on_gpu: bool) -> Result<Chunk> {
    if let Some(chunk) = take_free(source, size, on_gpu)? {
        return Ok(chunk);
    }
    if retains_too_much(source)? {
        empty_cache()?;
    }
    match allocate(source, size) {
        Err(error) if matches!(error.kind(), Kind::Memory { .. }) => {
            empty_cache()?;
            allocate(source, size)
        }
        chunk => chunk,
    }
}

fn take_free(source: Source, size: usize, on_gpu: bool) -> Result<Option<Chunk>> {
    let mut pool = pool();
    if let Some(chunk) = pool.pop(source, size, on_gpu) {
        return Ok(Some(chunk));
    }
    let (chunks, bytes) = pool.busy(source, size);
    drop(pool);
    if chunks < MOST_BUSY && bytes < most_busy(memory_of(source)?, size) {
        return Ok(None);
    }
    settle()?;
    Ok(self::pool().pop(source, size, on_gpu))
}

/// Bytes of a size that may be busy: a loop of asynchronous calls with new arrays goes on in other
/// memory meanwhile. Large arrays may be a few too, and all together no more than a sixteenth of what
/// there is.
fn most_busy(memory: usize, size: usize) -> usize {
    const CALLS: usize = 16;
    (256 << 20).max(size.saturating_mul(CALLS)).min(memory / 16)
}

/// Waits for the GPUs, so that what was set aside can be used again.
fn settle() -> Result<()> {
    let mut outcome = Ok(());
    let mut from = 0;
    loop {
        let busy = pool().next_busy_gpu(from);
        let Some((gpu, until)) = busy else {
            return outcome;
        };
        match device::gpu(gpu).and_then(Gpu::synchronize_all) {
            Ok(()) => pool().settle(gpu, until),
            error => outcome = outcome.and(error),
        }
        from = gpu + 1;
    }
}

fn allocate(source: Source, size: usize) -> Result<Chunk> {
    let parts = if size <= LARGEST_CUT { SLAB / size } else { 1 };
    let bytes = parts * size;
    let slab = Slab {
        source,
        address: source.allocate(bytes)?,
        bytes,
    };
    let mut pool = pool();
    if pool.reserve_for(&slab, size).is_err() {
        drop(pool);
        // SAFETY: nobody knows the address.
        unsafe { source.free(slab.address, bytes) }?;
        return Err(source.exhausted(bytes));
    }
    pool.add(&slab, size);
    Ok(pool.pop(source, size, false).expect("just added"))
}

/// Takes a chunk back; `busy` says that the GPU may still use it.
///
/// This runs in destructors, wherever they are called: it allocates nothing, and does not synchronize
/// the GPU.
pub fn release(chunk: Chunk, busy: bool) {
    pool().push(chunk, busy);
    // Memory of the GPU is left to the next allocation, because to free it is to synchronize it.
    if chunk.source == Source::Host && is_too_much(pool().unused(Source::Host), available::memory())
    {
        pool().retire(|source| source == Source::Host);
        let _ = free_idle(|source| source == Source::Host); // which makes no error
    }
}

/// Checks whether more memory is unused than to retain for arrays that may never come.
fn retains_too_much(source: Source) -> Result<bool> {
    Ok(is_too_much(pool().unused(source), memory_of(source)?))
}

fn is_too_much(unused: usize, memory: usize) -> bool {
    unused > memory / 4
}

/// Bytes of memory that a source takes from.
fn memory_of(source: Source) -> Result<usize> {
    match source {
        Source::Device { gpu } => Ok(device::gpu(gpu)?.memory),
        _ => Ok(available::memory()),
    }
}

/// Returns all memory that no array uses to the system. After an error it goes on with the rest.
pub fn empty_cache() -> Result<()> {
    graph::release_ended();
    let settled = settle();
    pool().retire(|_| true);
    settled.and(free_idle(|_| true))
}

/// Frees what has been retired, of these sources.
fn free_idle(which: fn(Source) -> bool) -> Result<()> {
    let slabs = iter::from_fn(|| pool().next_idle(which));
    // SAFETY: every chunk of it was free and is out of the pool.
    free_all(slabs, |slab| unsafe {
        slab.source.free(slab.address, slab.bytes)
    })
}

/// Frees them all. Returns the first error.
fn free_all(
    slabs: impl Iterator<Item = Slab>,
    mut free: impl FnMut(Slab) -> Result<()>,
) -> Result<()> {
    let mut outcome = Ok(());
    for slab in slabs {
        outcome = outcome.and(free(slab));
    }
    outcome
}

pub fn statistics() -> Statistics {
    pool().statistics()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::allocations;

    #[test]
    fn freeing_needs_no_memory() {
        let sizes = [1, 100_000, SLAB, 3 * SLAB].into_iter().cycle();
        let chunks: Vec<_> = sizes
            .take(3000)
            .map(|bytes| take(Source::Host, bytes).unwrap())
            .collect();
        let free = || chunks.into_iter().for_each(|chunk| release(chunk, false));
        assert_eq!(allocations(free), 0);
        let empty = || empty_cache().unwrap();
        assert_eq!(allocations(empty), 0);
    }

    #[test]
    fn after_an_error_the_other_slabs_are_freed() {
        let slabs = (1..=3).map(|address| Slab {
            source: Source::Host,
            address,
            bytes: 4096,
        });
        let mut freed = Vec::new();
        let free = |slab: Slab| {
            freed.push(slab.address);
            match slab.address {
                3 => Ok(()),
                address => Err(Kind::Kernel(format!("error {address}")).into()),
            }
        };
        let error = free_all(slabs, free).unwrap_err();
        assert_eq!(error.to_string(), "error 1");
        assert_eq!(freed, [1, 2, 3]);
    }

    #[test]
    fn busy_memory_is_bounded_by_calls_and_by_memory() {
        assert_eq!(most_busy(128 << 30, 4096), 256 << 20);
        assert_eq!(most_busy(128 << 30, 100 << 20), 1600 << 20);
        assert_eq!(most_busy(128 << 30, 1 << 30), 8 << 30);
        assert_eq!(most_busy(1 << 30, 4096), 64 << 20);
        assert_eq!(most_busy(usize::MAX, usize::MAX), usize::MAX / 16);
    }

    #[test]
    fn no_more_than_a_quarter_of_memory_is_unused() {
        assert!(!is_too_much(0, 0));
        assert!(!is_too_much(1 << 30, 4 << 30));
        assert!(is_too_much((1 << 30) + 1, 4 << 30));
        assert_eq!(memory_of(Source::Host), Ok(available::memory()));
        assert_eq!(retains_too_much(Source::Host), Ok(false));
    }

    #[test]
    fn freed_memory_is_used_again() {
        let first = take(Source::Host, 3 * SLAB).unwrap();
        release(first, false);
        let second = take(Source::Host, 3 * SLAB - 1).unwrap();
        assert_eq!(first.address, second.address);
        release(second, false);
    }

    #[test]
    fn chunks_of_a_slab_do_not_overlap() {
        let chunks: Vec<_> = (0..20)
            .map(|_| take(Source::Host, 100_000).unwrap())
            .collect();
        let mut starts: Vec<_> = chunks.iter().map(|chunk| chunk.address).collect();
        starts.sort_unstable();
        assert!(
            starts
                .windows(2)
                .all(|pair| pair[1] - pair[0] >= chunks[0].size)
        );
        chunks.into_iter().for_each(|chunk| release(chunk, false));
    }

    #[test]
    fn impossible_sizes_are_an_error() {
        for bytes in [isize::MAX as usize, usize::MAX, (1 << 50) + 1] {
            let Err(error) = take(Source::Host, bytes) else {
                panic!("{bytes} bytes");
            };
            let kind = "host";
            assert_eq!(error.kind(), &Kind::Memory { bytes, kind });
        }
    }
}
