use crate::prelude::*;

kernel! {
    /// Return of zero and the values with each index the smallest and the largest; any one of the values; and where the
    /// one is that came first, counted from 1.
    peaks<T: i8 | u8 | i16 | u16 | i32 | u32 | i64 | u64 | f8e4m3 | f8e5m2 | f16 | bf16 | f32 | f64>(
        index: &i64[n], value: &T[n], bins: usize
    ) -> (low: T[bins], high: T[bins], one: T[bins], places: i64[bins])
    scratch taken: T[bins];
    shared most: T[bins.min(64)];
    block over index {
        block.each_of((index, value), |(i, index, value)| {
            let bin = index as usize;
            low.min(bin, value);
            if bin < most.len() { most.max(bin, value) } else { high.max(bin, value) }
            one.exchange(bin, value);
            if taken.cas(bin, T::default(), value) == T::default() { places.add(bin, i as i64 + 1) }
        });
        block.wait();
        most.each(block, |bin, most| high.max(bin, most));
    }
}
