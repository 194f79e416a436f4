use crate::prelude::*;

kernel! {
    /// Return the sums of the values that have the same index.
    tally<T: i8 | u8 | i16 | u16 | i32 | u32 | i64 | u64 | f16 | bf16 | f32 | f64 | complex64 | complex128>(
        index: &i64[n], values: &T[n], bins: usize
    ) -> sums: T[bins]
    shared first: T[(bins / 2).min(64)];
    block over index {
        block.each_of((index, values), |(_, index, value)| {
            let bin = index as usize;
            if bin < first.len() { first.add(bin, value) } else { sums.add(bin, value) }
        });
        block.wait();
        first.each(block, |bin, sum| sums.add(bin, sum));
    }
}
