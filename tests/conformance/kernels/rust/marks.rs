use crate::prelude::*;

kernel! {
    /// Note of the values with each index the smallest, the largest, and bits.
    marks<T: i32 | u32 | i64 | u64 | f32 | f64>(
        index: &i64[n], value: &T[n], low: &mut T[k], high: &mut T[k], set: &mut u32[k], kept: &mut u64[k]
    )
    block over index {
        block.each_of((index, value), |(_, at, value)| {
            low.min(at as usize, value);
            high.max(at as usize, value);
            set.or(at as usize, 1 << (value as u32 % 32));
            kept.and(at as usize, !(1 << (value as u64 % 64)));
        });
    }
}
