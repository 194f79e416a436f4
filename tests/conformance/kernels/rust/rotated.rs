use crate::prelude::*;

kernel! {
    /// Turn the elements of each group of 32 by `by`, and add to each element the sum of its block of 64: what threads exchange.
    rotated(x: &mut i32[n], by: usize)
    each x[i] by block of [64] {
        let mut turned = x.clone();
        let sum = x.reduce(block, |a, b| a + b);
        turned.exchange(block, |lane| lane + by, |_, other| other);
        turned.update(block, |_, value| value + sum);
        turned
    }
}
