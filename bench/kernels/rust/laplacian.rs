use crate::prelude::*;

kernel! {
    /// The sum of the differences to the six neighbours; at the edges a missing one is the element itself.
    laplacian<T: f32 | f64>(x: &T[a, b, c]) -> y: T[a, b, c]
    each y[i, j, k] with x.edge(1) {
        x.near(-1, 0, 0) + x.near(1, 0, 0) + x.near(0, -1, 0) + x.near(0, 1, 0) + x.near(0, 0, -1)
            + x.near(0, 0, 1) - T::of(6.0) * x.near(0, 0, 0)
    }
}
