use crate::prelude::*;

kernel! {
    /// How many of so many points of a square are in its circle.
    monte_carlo(samples: usize, *, seed: i64 = 0) -> inside: i64
    scratch hits: i64[samples.div_ceil(8192)];
    each hits[part] by warp {
        let counter = |i: usize| (seed as u64).wrapping_mul(0x632b_e59b_d9b4_e019).wrapping_add(2 * i as u64);
        let hit = |i| uniform(counter(i)).powi(2) + uniform(counter(i) + 1).powi(2) < 1.0;
        let first = 8192 * part;
        warp.count_of(8192.min(samples - first), |i| hit(first + i)) as i64
    }
    each inside[] by block { block.sum_of(samples.div_ceil(8192), |part| hits[part]) }
}

/// A number in [0, 1) that follows from `counter` alone (splitmix64).
#[inline(always)]
fn uniform(counter: u64) -> f64 {
    let mut bits = counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((bits ^ (bits >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}
