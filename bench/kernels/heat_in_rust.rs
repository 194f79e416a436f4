use crate::prelude::*;

kernel! {
    /// A step of heat flow through a plate, which loses none at its edges.
    ///
    /// `y` becomes `x + rate * (the sum of the four neighbours of x - 4 * x)`.
    heat_in_rust(rate: f32, x: &f32[rows, columns], y: &out f32[rows, columns])
    each y[i, j] with x.edge(1) {
        let around = x.near(-1, 0) + x.near(1, 0) + x.near(0, -1) + x.near(0, 1);
        let middle = x.near(0, 0);
        middle + rate * (around - 4.0 * middle)
    }
}
