use crate::prelude::*;

functions! { evens, odds }

pub mod evens {
    use crate::prelude::*;

    kernel! {
        /// Return the elements of `x` at even places.
        evens<T: i32 | f64>(x: &T[n]) -> y: T[(n + 1) / 2]
        each y[i] { super::every_second(x, i, 0) }
    }
}

pub mod odds {
    use crate::prelude::*;

    kernel! {
        /// Return the elements of `x` at odd places.
        odds<T: i32 | f64>(x: &T[n]) -> y: T[n / 2]
        each y[i] { super::every_second(x, i, 1) }
    }
}

#[inline(always)]
fn every_second<T: Element>(x: View<T, 1>, i: usize, first: usize) -> T {
    x[2 * i + first]
}
