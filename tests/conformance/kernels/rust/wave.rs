use crate::prelude::*;

kernel! {
    /// Return what the defaults are, by the index in `x`.
    wave<T: f32 | f64>(
        x: &T[...], *, step: T = 1.0 / 3.0, phase: T = -(pi / 2.0), top: T = 2.0 * e - 1.0,
        diagonal: T = pow(sqrt(2.0), 3), small: T = -pow(10.0, -3),
        weights: [T; 2] = [1.0 / 2.0, -e], count: i64 = 3 * 1024
    ) -> _y: T[...] {
        let is = |index: f64| x == T::of(index);
        *_y = if is(0.0) {
            step
        } else if is(1.0) {
            phase
        } else if is(2.0) {
            top
        } else if is(3.0) {
            weights[0]
        } else if is(4.0) {
            weights[1]
        } else if is(5.0) {
            diagonal
        } else if is(6.0) {
            small
        } else {
            T::of(count as f64)
        };
    }
}
