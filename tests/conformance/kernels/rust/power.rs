use crate::prelude::*;

kernel! {
    /// The squares of the absolute values.
    power<T: complex64 | complex128>(x: &T[...]) -> y: real(T)[...]
    { *y = x.re * x.re + x.im * x.im }
}
