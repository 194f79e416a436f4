use crate::prelude::*;

kernel! {
    /// The cross entropy of each row of logits, whose true class is `target`.
    cross_entropy<T: f32 | f16 | bf16>(x: &T[..., n], target: &i64[...]) -> (loss: f32[...], lse: saved f32[...])
    derivative dx = cross_entropy_bwd(dloss, x, target, lse);
    each (loss[row], lse[row]) by block {
        fail_if(target[row] < 0 || target[row] as usize >= n, "no such class");
        let (largest, sum) = block.exp_sum_of(n, |i| f32::from(x[[row, i]]));
        let lse = largest + sum.ln();
        (lse - f32::from(x[[row, target[row] as usize]]), lse)
    }
}
