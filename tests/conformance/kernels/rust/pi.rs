use crate::prelude::*;

kernel! {
    /// Return the fraction of random points of a square that are in its circle, times 4.
    pi(n: usize, *, seed: u64 = 1) -> pi: f64
    scratch hits: i64[256];
    each hits[i] by block {
        block.count_of(n.div_ceil(256), |j| {
            let [x, y] = [0, 1].map(|axis| uniform(seed, ((i + 256 * j) * 2 + axis) as u64));
            x * x + y * y < 1.0
        }) as i64
    }
    each pi[] by block { 4.0 * block.sum_of(256, |i| hits[i]) as f64 / (n.div_ceil(256) * 256) as f64 }
}

/// The number of this index, from 0 to 1: SplitMix64 of Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators" (2014).
#[inline(always)]
fn uniform(seed: u64, index: u64) -> f64 {
    let mut bits = seed.wrapping_add(index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((bits ^ (bits >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}
