use crate::prelude::*;

kernel! {
    /// Return `n` random numbers, more than 0 and at most 1.
    uniform(n: usize, *, seed: u64 = 0) -> y: f32[n]
    each y[i] { philox(seed, i as u64 / 4)[i % 4] as f32 * STEP + STEP / 2.0 }
}

const STEP: f32 = 1.0 / 4_294_967_296.0;

/// Four numbers of Philox: Salmon et al., Parallel random numbers (2011).
#[inline(always)]
fn philox(seed: u64, index: u64) -> [u32; 4] {
    let (mut key, mut x) = (
        [seed as u32, (seed >> 32) as u32],
        [0, 0, index as u32, (index >> 32) as u32],
    );
    let mut round = 0;
    while round < 10 {
        let (a, b) = (0xD251_1F53 * u64::from(x[0]), 0xCD9E_8D57 * u64::from(x[2]));
        x = [
            (b >> 32) as u32 ^ x[1] ^ key[0],
            b as u32,
            (a >> 32) as u32 ^ x[3] ^ key[1],
            a as u32,
        ];
        key = [
            key[0].wrapping_add(0x9E37_79B9),
            key[1].wrapping_add(0xBB67_AE85),
        ];
        round += 1;
    }
    x
}
