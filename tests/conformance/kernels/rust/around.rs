use crate::prelude::*;

kernel! {
    /// The sum of elements that are near: beyond the edges of `x` is what is at the edge, beyond the edges of
    /// `y` is `y` again.
    around<T: f32 | complex128>(x: &T[height, width], y: &T[height, width], *, far: usize = 2) -> sum: T[height, width]
    each sum[i, j] with x.edge(1), y.wrap(2) {
        let far = far as isize;
        x.near(-1, 0) + x.near(1, -1) + x.near(0, 0) + y.near(-far, far) + y.near(2, 1)
    }
}
