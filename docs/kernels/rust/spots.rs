use crate::prelude::*;

structure! {
    /// A value and where it is.
    pub struct Spot {
        index: i64,
        height: f32,
    }
}

kernel! {
    /// Where `x` is above a threshold, and what it is there, in no order.
    spots(x: &f32[n], threshold: f32) -> _y: Spot[at most n]
    block over x {
        block.each_index(n, |i| {
            if x[i] > threshold {
                _y.push(Spot { index: i as i64, height: x[i] });
            }
        });
    }
}
