//! Keeps freed memory for the next array of about the same size.
//!
//! Sizes are rounded up to classes at most an eighth apart. Small classes are cut from
//! slabs; a class is never smaller than a page, so that moving one array between host and
//! GPU moves no other. Memory that the GPU may still use is set aside until the GPU has been
//! waited for.

use std::collections::{BTreeMap, HashMap};

use super::source::Source;
use super::{advice, available};
use crate::device;
use crate::error::{Error, Result};
use crate::fork::{Lock, Locked};

/// The smallest class, and what all classes are multiples of, in bytes.
const PAGE: usize = 4096;

/// Bytes of a slab, and the largest class cut from one.
const SLAB: usize = 2 << 20;
const LARGEST_CUT: usize = SLAB / 2;

/// A piece of memory of the size of its class.
#[derive(Clone, Copy, Debug)]
pub struct Chunk {
    pub address: usize,
    pub size: usize,
    pub source: Source,
    /// It was prefetched to the GPU and must be advised back before the next use.
    pub moved: bool,
    /// Address and size of the allocation that it is a part of, or the whole of.
    slab: (usize, usize),
}

/// Bytes of the pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// In arrays.
    pub used: usize,
    /// In arrays and ready for new ones.
    pub held: usize,
}

struct Pool {
    free: BTreeMap<(Source, usize), Vec<Chunk>>,
    /// Freed while the GPU may still use it.
    busy: Vec<Chunk>,
    statistics: Statistics,
}

fn pool() -> Locked<'static, Pool> {
    static POOL: Lock<Pool> = Lock::new(Pool {
        free: BTreeMap::new(),
        busy: Vec::new(),
        statistics: Statistics { used: 0, held: 0 },
    });
    POOL.lock()
}

/// The size of the class that holds `bytes` bytes.
fn class_of(bytes: usize) -> Option<usize> {
    let step = (bytes.checked_next_power_of_two()? / 8).max(PAGE);
    bytes.max(1).checked_next_multiple_of(step)
}

/// A chunk of at least `bytes` bytes, from the pool or else from its source.
pub fn take(source: Source, bytes: usize) -> Result<Chunk> {
    let size = class_of(bytes).ok_or(Error::Memory {
        bytes,
        kind: "host",
    })?;
    let mut chunk = match take_free(source, size)? {
        Some(chunk) => chunk,
        None => match allocate(source, size) {
            Err(Error::Memory { .. }) => {
                empty_cache()?;
                allocate(source, size)?
            }
            chunk => chunk?,
        },
    };
    if chunk.moved {
        chunk.moved = false;
        if let Err(error) = advice::advise_back(&chunk) {
            pool().push(chunk);
            return Err(error);
        }
    }
    pool().statistics.used += size;
    Ok(chunk)
}

fn take_free(source: Source, size: usize) -> Result<Option<Chunk>> {
    let mut pool = pool();
    if let Some(chunk) = pool.pop(source, size) {
        return Ok(Some(chunk));
    }
    let waits = |chunk: &Chunk| chunk.source == source && chunk.size == size;
    if !pool.busy.iter().any(waits) {
        return Ok(None);
    }
    drop(pool);
    settle()?;
    Ok(self::pool().pop(source, size))
}

/// Waits for the GPUs, so that what was set aside can be used again.
fn settle() -> Result<()> {
    let settled = std::mem::take(&mut pool().busy);
    let mut gpus: Vec<_> = settled
        .iter()
        .filter_map(|chunk| chunk.source.gpu())
        .collect();
    gpus.sort_unstable();
    gpus.dedup();
    let waited = gpus
        .into_iter()
        .try_for_each(|gpu| device::gpu(gpu)?.synchronize());
    let mut pool = pool();
    match waited {
        Ok(()) => settled.into_iter().for_each(|chunk| pool.push(chunk)),
        Err(_) => pool.busy.extend(settled),
    }
    waited
}

fn allocate(source: Source, size: usize) -> Result<Chunk> {
    let whole = if size <= LARGEST_CUT { SLAB } else { size };
    let slab = (source.allocate(whole)?, whole);
    let cut = |address| Chunk {
        address,
        size,
        source,
        moved: false,
        slab,
    };
    let mut pool = pool();
    pool.statistics.held += whole;
    for index in 1..whole / size {
        pool.push(cut(slab.0 + index * size));
    }
    Ok(cut(slab.0))
}

/// Takes a chunk back; `busy` says that the GPU may still use it.
pub fn give_back(chunk: Chunk, busy: bool) {
    let mut pool = pool();
    pool.statistics.used -= chunk.size;
    if busy {
        pool.busy.push(chunk);
    } else {
        pool.push(chunk);
    }
    let cached = pool.statistics.held - pool.statistics.used;
    drop(pool);
    // A quarter of the machine is enough to keep for arrays that may never come. This runs
    // in a destructor, which has nobody to tell of an error; the next allocation will meet
    // it again.
    if cached > available::memory() / 4 {
        let _ = empty_cache();
    }
}

/// Gives all memory that no array uses back to the system.
pub fn empty_cache() -> Result<()> {
    settle()?;
    let idle = pool().remove_whole_slabs();
    idle.into_iter().try_for_each(|(source, address, size)| {
        // SAFETY: every chunk of it was free and is out of the pool.
        unsafe { source.free(address, size) }
    })
}

pub fn statistics() -> Statistics {
    pool().statistics
}

impl Pool {
    fn push(&mut self, chunk: Chunk) {
        self.free
            .entry((chunk.source, chunk.size))
            .or_default()
            .push(chunk);
    }

    fn pop(&mut self, source: Source, size: usize) -> Option<Chunk> {
        self.free.get_mut(&(source, size))?.pop()
    }

    /// Takes out the chunks of all slabs that no array uses a part of.
    fn remove_whole_slabs(&mut self) -> Vec<(Source, usize, usize)> {
        let mut idle = Vec::new();
        for ((source, size), chunks) in &mut self.free {
            let mut free_parts: HashMap<(usize, usize), usize> = HashMap::new();
            for chunk in chunks.iter() {
                *free_parts.entry(chunk.slab).or_default() += 1;
            }
            free_parts.retain(|slab, parts| *parts == slab.1 / size);
            chunks.retain(|chunk| !free_parts.contains_key(&chunk.slab));
            for (address, bytes) in free_parts.into_keys() {
                self.statistics.held -= bytes;
                idle.push((*source, address, bytes));
            }
        }
        idle
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_hold_what_they_are_for() {
        assert_eq!(class_of(0), Some(PAGE));
        assert_eq!(class_of(PAGE), Some(PAGE));
        assert_eq!(class_of(PAGE + 1), Some(2 * PAGE));
        assert_eq!(class_of(usize::MAX), None);
        for bytes in [1, 5000, 70_000, 1 << 20, (1 << 20) + 1, 100_000_007] {
            let class = class_of(bytes).unwrap();
            assert!(class >= bytes && class.is_multiple_of(PAGE), "{bytes}");
            assert!(bytes < 8 * PAGE || class - bytes <= bytes / 4, "{bytes}");
        }
    }

    #[test]
    fn freed_memory_is_used_again() {
        let first = take(Source::Host, 3 * SLAB).unwrap();
        give_back(first, false);
        let second = take(Source::Host, 3 * SLAB - 1).unwrap();
        assert_eq!(first.address, second.address);
        give_back(second, false);
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
        chunks.into_iter().for_each(|chunk| give_back(chunk, false));
    }

    #[test]
    fn impossible_sizes_are_an_error() {
        let result = take(Source::Host, isize::MAX as usize);
        assert!(matches!(result, Err(Error::Memory { .. })));
    }
}
