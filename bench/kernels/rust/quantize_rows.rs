use crate::prelude::*;

kernel! {
    /// Each row in 8 bits, divided by `scale`, which makes its largest magnitude 448.
    quantize_rows<T: f32 | bf16>(x: &T[..., n]) -> (q: f8e4m3[..., n], scale: f32[...])
    each (q[row, ..], scale[row]) by block {
        let largest = block.max_of(n, |i| f32::from(x[[row, i]]).abs());
        let scale = if largest > 0.0 { largest / 448.0 } else { 1.0 };
        let factor = 1.0 / scale;
        (move |i| f8e4m3::from(f32::from(x[[row, i]]) * factor), scale)
    }
}
