use crate::prelude::*;

class! {
    /// A signal of `n` elements.
    Signal<T: complex64 | complex128>(x: &T[n])
    state kept: T[n];
    each kept[i] { x[i] }

    /// The power of each element.
    fn power() -> y: real(T)[n]
    each y[i] { kept[i].re * kept[i].re + kept[i].im * kept[i].im }
}
