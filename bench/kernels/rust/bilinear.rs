use crate::prelude::*;

kernel! {
    /// The image at the places (y, x), interpolated; beyond the edges is what is at the edge.
    bilinear<T: f32 | f64>(image: &T[h, w], at: &T[n, 2]) -> value: T[n]
    each value[i] {
        let (y, v) = split(at[[i, 0]], h);
        let (x, u) = split(at[[i, 1]], w);
        let (below, beside) = ((y + 1).min(h - 1), (x + 1).min(w - 1));
        let row = |y: usize| image[[y, x]] + u * (image[[y, beside]] - image[[y, x]]);
        row(y) + v * (row(below) - row(y))
    }
}

/// The pixel at or before this place, and how far behind it the place is.
#[inline(always)]
fn split<T: Float>(place: T, size: usize) -> (usize, T) {
    let last = T::of((size - 1) as f64);
    let inside = if place < T::of(0.0) {
        T::of(0.0)
    } else if place > last {
        last
    } else {
        place
    };
    (inside.wide() as usize, inside - inside.floor())
}
