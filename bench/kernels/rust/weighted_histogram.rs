use crate::prelude::*;

kernel! {
    /// The sum of the weights in each bin.
    weighted_histogram<T: f32 | f64>(bin: &i64[n], weight: &T[n], bins: usize) -> total: T[bins]
    block over bin {
        block.each_index(n, |i| {
            fail_if(bin[i] < 0 || bin[i] as usize >= bins, "bin is out of range");
            total.add(bin[i] as usize, weight[i]);
        });
    }
}
