use crate::prelude::*;

kernel! {
    /// The gradients of `affine`: sums over every so many-th row, then over these.
    affine_bwd<T: f32 | f64>(dy: &T[..., n], x: &T[..., n], weight: &T[n], bias: Option<&T[n]>)
        -> (dx: T[..., n], dweight: T[n], dbias: T[n])
    scratch products: T[256, n], sums: T[256, n];
    each dx[row, i] { dy[[row, i]] * weight[i] }
    each products[first, i] {
        (first..dy.len() / n).step_by(256).fold(T::ZERO, |sum, row| sum + dy[[row, i]] * x[[row, i]])
    }
    each sums[first, i] { (first..dy.len() / n).step_by(256).fold(T::ZERO, |sum, row| sum + dy[[row, i]]) }
    each dweight[i] { (0..256).fold(T::ZERO, |sum, first| sum + products[[first, i]]) }
    each dbias[i] { (0..256).fold(T::ZERO, |sum, first| sum + sums[[first, i]]) }
}
