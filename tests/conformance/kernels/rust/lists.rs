use crate::prelude::*;

kernel! {
    /// Return the indices of each key as a list, counted from 1: the first one and those that follow. So many keys
    /// are there, and this is the largest value.
    lists(key: &i64[n], value: &f32[n], keys: usize) -> (head: i64[keys], next: i64[n], count: i64[1], peak: f32[1])
    scratch taken: u32[keys];
    shared most: f32[1];
    block over key by (n.div_ceil(512).min(64), 128) {
        block.each_of((key, value), |(i, key, value)| {
            let key = key as usize;
            next.exchange(i, head.exchange(key, i as i64 + 1));
            if taken.cas(key, 0, 1) == 0 { count.add(0, 1) }
            most.max(0, value);
        });
        block.wait();
        most.each(block, |at, most| peak.max(at, most));
    }
}
