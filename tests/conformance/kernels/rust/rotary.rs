use crate::prelude::*;

kernel! {
    /// Rotate the pairs of elements of each head, in place: `x` may be a part of a larger tensor.
    rotary<T: f32 | bf16>(x: &mut T[b, s, h, 2 * d] strided, cosine: &f32[s, d] rows, sine: &f32[s, d] rows)
    scratch old: T[x.shape()[0], s, x.shape()[2], 2 * d];
    each old[sequence, place, head, i] { x[[sequence, place, head, i]] }
    each x[sequence, place, head, i] {
        let pair = |i: usize| f32::from(old[[sequence, place, head, i]]);
        let (cosine, sine) = (cosine[[place, i % d]], sine[[place, i % d]]);
        T::from(match i < d {
            true => pair(i) * cosine - pair(i + d) * sine,
            false => pair(i - d) * sine + pair(i) * cosine,
        })
    }
}
