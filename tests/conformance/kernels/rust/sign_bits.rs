use crate::prelude::*;

kernel! {
    /// Return the signs of each row of 32 as bits, the lowest of the first element.
    sign_bits(x: &i32[m, 32]) -> bits: u32[m]
    each bits[i] by warp { warp.own(|lane| x[[i, lane]] < 0).ballot(warp) }
}
