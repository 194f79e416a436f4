use crate::prelude::*;

kernel! {
    /// The product of two matrices.
    matmul<T: f32 | f64>(a: &T[m, k], b: &T[k, n]) -> c: T[m, n]
    each c[i, j] { (0..k).fold(T::of(0.0), |sum, l| sum + a[[i, l]] * b[[l, j]]) }
}
