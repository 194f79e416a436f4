//! The chunks that no array uses.
//!
//! Whoever makes chunks reserves capacity here for all of them, so that a chunk that comes back needs
//! no memory: it can be freed where none is left.

use std::collections::TryReserveError;

use super::size;
use crate::memory::source::Source;

/// A piece of memory.
#[derive(Clone, Copy, Debug)]
pub struct Chunk {
    pub address: usize,
    pub size: usize,
    pub source: Source,
    /// It was prefetched to the GPU: another use must advise it back before.
    pub on_gpu: bool,
    /// The host has touched pages of it since.
    pub fetched: bool,
    /// Address and size of the allocation that it is a part of, or the whole of.
    slab: (usize, usize),
}

/// Bytes of the pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// In arrays.
    pub used: usize,
    /// In arrays and ready for new ones.
    pub reserved: usize,
}

pub struct Store {
    /// By source and size.
    classes: Vec<Class>,
    /// Freed while the GPU may still use them, and what `set_aside` was then.
    busy: Vec<(Chunk, u64)>,
    /// Out of all lists, to be returned to the system.
    idle: Vec<Slab>,
    /// Chunks of all classes, and slabs.
    chunks: usize,
    slabs: usize,
    /// How often a chunk has been set aside.
    set_aside: u64,
    /// By kind of source.
    statistics: [Statistics; Source::KINDS],
}

/// One allocation.
pub struct Slab {
    pub source: Source,
    pub address: usize,
    pub bytes: usize,
}

struct Class {
    source: Source,
    size: usize,
    free: Vec<Chunk>,
    /// Chunks of this class, in use or not.
    chunks: usize,
}

impl Class {
    /// The chunk that was freed last, of those on this side if there are any.
    fn pop(&mut self, on_gpu: bool) -> Option<Chunk> {
        let matching = self.free.iter().rposition(|chunk| chunk.on_gpu == on_gpu);
        match matching {
            Some(index) => Some(self.free.remove(index)), // mostly the last
            None => self.free.pop(),
        }
    }
}

impl Store {
    pub const fn new() -> Self {
        Self {
            classes: Vec::new(),
            busy: Vec::new(),
            idle: Vec::new(),
            chunks: 0,
            slabs: 0,
            set_aside: 0,
            statistics: [Statistics {
                used: 0,
                reserved: 0,
            }; Source::KINDS],
        }
    }

    /// Bytes of all sources.
    pub fn statistics(&self) -> Statistics {
        let sum = |field: fn(&Statistics) -> usize| self.statistics.iter().map(field).sum();
        Statistics {
            used: sum(|it| it.used),
            reserved: sum(|it| it.reserved),
        }
    }

    /// Bytes of this kind of source that no array uses.
    pub fn unused(&self, source: Source) -> usize {
        let statistics = self.statistics[source.kind()];
        statistics.reserved - statistics.used
    }

    /// Reserves capacity for a slab that is to be cut into chunks of this size.
    pub fn reserve_for(&mut self, slab: &Slab, size: usize) -> Result<(), TryReserveError> {
        let (source, parts) = (slab.source, slab.bytes / size);
        let index = match self.find(source, size) {
            Ok(index) => index,
            Err(index) => {
                self.classes.try_reserve(1)?;
                let class = Class {
                    source,
                    size,
                    free: Vec::new(),
                    chunks: 0,
                };
                self.classes.insert(index, class);
                index
            }
        };
        reserve(&mut self.busy, self.chunks + parts)?;
        let slabs = self.idle.len() + self.slabs + 1;
        reserve(&mut self.idle, slabs)?;
        let class = &mut self.classes[index];
        reserve(&mut class.free, class.chunks + parts)
    }

    /// Takes in a slab that is cut into chunks of this size. There is capacity for them.
    pub fn add(&mut self, slab: &Slab, size: usize) {
        let parts = slab.bytes / size;
        self.slabs += 1;
        self.chunks += parts;
        self.statistics[slab.source.kind()].reserved += slab.bytes;
        let class = self
            .find(slab.source, size)
            .expect("its capacity is reserved");
        self.classes[class].chunks += parts;
        let chunks = (0..parts).rev().map(|index| Chunk {
            address: slab.address + index * size,
            size,
            source: slab.source,
            on_gpu: false,
            fetched: false,
            slab: (slab.address, slab.bytes),
        });
        self.classes[class].free.extend(chunks);
    }

    /// Takes a chunk out for an array, if there is one on this side.
    pub fn pop(&mut self, source: Source, size: usize, on_gpu: bool) -> Option<Chunk> {
        let (Ok(first) | Err(first)) = self.find(source, size);
        let largest = size::largest_to_use(size);
        let chunk = self.classes[first..]
            .iter_mut()
            .take_while(|class| class.source == source && class.size <= largest)
            .find_map(|class| class.pop(on_gpu))?;
        self.statistics[source.kind()].used += chunk.size;
        Some(chunk)
    }

    /// Takes a chunk back from an array. `busy` says that the GPU may still use it.
    pub fn push(&mut self, chunk: Chunk, busy: bool) {
        self.statistics[chunk.source.kind()].used -= chunk.size;
        if busy && chunk.source.gpu().is_some() {
            self.set_aside += 1;
            self.busy.push((chunk, self.set_aside));
        } else {
            self.free(chunk);
        }
    }

    fn free(&mut self, chunk: Chunk) {
        let class = self.find(chunk.source, chunk.size);
        self.classes[class.expect("its capacity is reserved")]
            .free
            .push(chunk);
    }

    /// Number and bytes of the busy chunks that would do for this size.
    pub fn busy(&self, source: Source, size: usize) -> (usize, usize) {
        let sizes = size..=size::largest_to_use(size);
        let busy = self.busy.iter().map(|(chunk, _)| chunk);
        let fits = |chunk: &&Chunk| chunk.source == source && sizes.contains(&chunk.size);
        busy.filter(fits)
            .fold((0, 0), |(n, bytes), chunk| (n + 1, bytes + chunk.size))
    }

    /// The first GPU from `from` on that may use busy chunks, and until when they were set aside.
    pub fn next_busy_gpu(&self, from: usize) -> Option<(usize, u64)> {
        let gpus = self.busy.iter().filter_map(|(chunk, _)| chunk.source.gpu());
        let gpu = gpus.filter(|&gpu| gpu >= from).min()?;
        Some((gpu, self.set_aside))
    }

    /// This GPU has been synchronized after the moment `until`.
    pub fn settle(&mut self, gpu: usize, until: u64) {
        let mut index = 0;
        while let Some(&(chunk, since)) = self.busy.get(index) {
            if chunk.source.gpu() == Some(gpu) && since <= until {
                self.busy.swap_remove(index);
                self.free(chunk);
            } else {
                index += 1;
            }
        }
    }

    /// Takes out all slabs that no array uses a part of, to be had from [`Store::next_idle`].
    pub fn retire(&mut self, which: impl Fn(Source) -> bool) {
        for class in self.classes.iter_mut().filter(|class| which(class.source)) {
            class.free.sort_unstable_by_key(|chunk| chunk.slab);
            let mut start = 0;
            while let Some(&Chunk { slab, .. }) = class.free.get(start) {
                let parts = class.free[start..].iter();
                let parts = parts.take_while(|chunk| chunk.slab == slab).count();
                if parts < (slab.1 / class.size).max(1) {
                    start += parts;
                    continue;
                }
                class.free.drain(start..start + parts);
                class.chunks -= parts;
                self.chunks -= parts;
                self.slabs -= 1;
                self.statistics[class.source.kind()].reserved -= slab.1;
                self.idle.push(Slab {
                    source: class.source,
                    address: slab.0,
                    bytes: slab.1,
                });
            }
        }
        self.classes.retain(|class| class.chunks > 0);
    }

    pub fn next_idle(&mut self, which: impl Fn(Source) -> bool) -> Option<Slab> {
        let index = self.idle.iter().rposition(|slab| which(slab.source))?;
        Some(self.idle.swap_remove(index))
    }

    fn find(&self, source: Source, size: usize) -> Result<usize, usize> {
        let key = (source, size);
        self.classes
            .binary_search_by_key(&key, |class| (class.source, class.size))
    }
}

/// Capacity for so many items in all.
fn reserve<T>(items: &mut Vec<T>, count: usize) -> Result<(), TryReserveError> {
    items.try_reserve(count.saturating_sub(items.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GPU: Source = Source::Device { gpu: 1 };

    fn slab(source: Source, address: usize, bytes: usize) -> Slab {
        Slab {
            source,
            address,
            bytes,
        }
    }

    fn add(store: &mut Store, slab: &Slab, size: usize) {
        store.reserve_for(slab, size).unwrap();
        store.add(slab, size);
    }

    /// A store with a slab of four chunks of this size for each address.
    fn store(source: Source, size: usize, addresses: &[usize]) -> Store {
        let mut store = Store::new();
        for &address in addresses {
            add(&mut store, &slab(source, address, 4 * size), size);
        }
        store
    }

    fn capacities(store: &Store) -> Vec<usize> {
        let classes = store.classes.iter().map(|class| class.free.capacity());
        let others = [store.busy.capacity(), store.idle.capacity()];
        classes.chain(others).collect()
    }

    #[test]
    fn what_comes_back_needs_no_memory() {
        let slabs = [1 << 20, 2 << 20];
        for (busy, count) in [(false, 1), (false, 2), (true, 1), (true, 2)] {
            let mut store = store(GPU, 4096, &slabs[..count]);
            let before = capacities(&store);
            let taken: Vec<_> = (0..4 * count)
                .map(|_| store.pop(GPU, 4096, false).unwrap())
                .collect();
            taken.into_iter().for_each(|chunk| store.push(chunk, busy));
            let (gpu, until) = store.next_busy_gpu(0).unwrap_or((1, 0));
            store.settle(gpu, until);
            assert_eq!(capacities(&store), before);
            let idle = store.idle.capacity();
            store.retire(|_| true);
            assert_eq!((store.idle.len(), store.idle.capacity()), (count, idle));
        }
    }

    #[test]
    fn slabs_in_use_are_not_retired() {
        let mut store = store(Source::Host, 4096, &[1 << 20, 2 << 20]);
        let chunk = store.pop(Source::Host, 4096, false).unwrap();
        store.retire(|source| source != Source::Host);
        assert!(store.next_idle(|_| true).is_none());
        store.retire(|_| true);
        let retired = store.next_idle(|_| true).unwrap();
        assert_ne!(retired.address, chunk.slab.0);
        assert!(store.next_idle(|_| true).is_none());
        let left = Statistics {
            used: 4096,
            reserved: 4 * 4096,
        };
        assert_eq!(store.statistics(), left);
        assert_eq!((store.chunks, store.slabs), (4, 1));
        store.push(chunk, false);
        store.retire(|_| true);
        assert_eq!(store.next_idle(|_| true).unwrap().address, chunk.slab.0);
        assert_eq!(store.statistics(), Statistics::default());
        assert_eq!((store.chunks, store.slabs), (0, 0));
        assert!(store.classes.is_empty());
    }

    #[test]
    fn a_chunk_on_the_side_that_is_asked_for_comes_first() {
        let managed = Source::Managed { gpu: 1 };
        let mut store = store(managed, 4096, &[1 << 20]);
        let mut chunks: Vec<_> = (0..4)
            .map(|_| store.pop(managed, 4096, false).unwrap())
            .collect();
        let addresses = chunks.iter().map(|chunk| chunk.address);
        assert!(addresses.eq((0..4).map(|index| (1 << 20) + index * 4096)));
        chunks[1].on_gpu = true;
        for chunk in &chunks {
            store.push(*chunk, false);
        }
        let mut next = |on_gpu| store.pop(managed, 4096, on_gpu).map(|it| it.address);
        assert_eq!(next(true), Some(chunks[1].address));
        assert_eq!(next(true), Some(chunks[3].address)); // there is no other
        assert!(next(false).is_some() && next(false).is_some());
    }

    #[test]
    fn who_frees_the_hosts_memory_leaves_the_memory_of_gpus() {
        let mut store = store(Source::Host, 4096, &[1 << 20, 2 << 20]);
        add(&mut store, &slab(GPU, 3 << 20, 4 * 4096), 4096);
        store.retire(|_| true);
        let of_host = |store: &mut Store| store.next_idle(|source| source == Source::Host);
        assert!(of_host(&mut store).is_some());
        assert!(of_host(&mut store).is_some());
        assert!(of_host(&mut store).is_none());
        assert_eq!(store.next_idle(|_| true).unwrap().source, GPU);
    }

    #[test]
    fn memory_of_gpus_is_counted_apart() {
        let mut store = store(Source::Host, 4096, &[1 << 20]);
        add(&mut store, &slab(GPU, 2 << 20, 4 * 8192), 8192);
        let chunk = store.pop(GPU, 8192, false).unwrap();
        assert_eq!(store.unused(Source::Host), 4 * 4096);
        assert_eq!(store.unused(GPU), 3 * 8192);
        store.push(chunk, false);
        store.retire(|source| source == GPU);
        assert_eq!(store.unused(Source::Host), 4 * 4096);
        assert_eq!(store.unused(GPU), 0);
    }

    #[test]
    fn what_is_set_aside_during_a_wait_stays_there() {
        let mut store = store(GPU, 4096, &[1 << 20]);
        let [first, second] = [(); 2].map(|()| store.pop(GPU, 4096, false).unwrap());
        store.push(first, true);
        let (gpu, until) = store.next_busy_gpu(0).unwrap();
        store.push(second, true);
        assert_eq!((gpu, store.busy(GPU, 4096)), (1, (2, 8192)));
        store.settle(gpu, until);
        assert_eq!(store.busy(GPU, 4096), (1, 4096));
        assert_eq!(store.pop(GPU, 4096, false).unwrap().address, first.address);
        assert!(store.next_busy_gpu(2).is_none());
        assert_eq!(store.busy(GPU, 8192), (0, 0));
        assert_eq!(store.busy(Source::Host, 4096), (0, 0));
    }

    #[test]
    fn a_large_chunk_serves_what_is_a_little_smaller() {
        let large = 8 * size::EXACT;
        let mut store = Store::new();
        add(&mut store, &slab(Source::Host, 1 << 20, large), large);
        assert!(store.pop(Source::Host, large / 2, false).is_none());
        assert!(store.pop(GPU, large, false).is_none());
        let chunk = store.pop(Source::Host, large - large / 10, false).unwrap();
        assert_eq!(store.statistics().used, large);
        store.push(chunk, false);
        assert_eq!(store.unused(Source::Host), large);
    }
}
