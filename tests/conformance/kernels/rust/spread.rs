use crate::prelude::*;

kernel! {
    /// Put the rows of `x`, times `scale`, into `y`, and what the strides are.
    spread(x: &f32[..., n] rows, scale: &f32[n] strided, y: &out f32[..., n] rows, strides: &out i64[5])
    each y[row, i] { x.row(row)[i] * scale[i] }
    each strides[k] {
        let of_y = y.strides();
        [x.strides()[0], x.strides()[1], scale.strides()[0], of_y[0], of_y[1]][k] as i64
    }
}
