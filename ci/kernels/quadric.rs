use crate::prelude::*;

kernel! {
    /// Return a x² + b y² + c xy + d x + e y + f.
    quadric<T: f32 | f64>(a: T, b: T, c: T, d: T, e: T, f: T, x: &T[...], y: &T[...]) -> z: T[...] {
        *z = value(a, b, c, d, e, f, x, y);
    }
}

fn value<T: Float>(a: T, b: T, c: T, d: T, e: T, f: T, x: T, y: T) -> T {
    a * x * x + b * y * y + c * x * y + d * x + e * y + f
}
