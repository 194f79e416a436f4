use crate::prelude::*;

kernel! {
    /// Several results, whose extents are calculated.
    ///
    /// `less` are the differences of neighbours, `more` is `x` and then the negative indices, the third
    /// holds every other element, and `size` is the number of elements.
    pieces(x: &i32[n]) -> (less: i32[n-1], more: i32[2*n+1], _half: i32[n/2], size: i64)
    each less[i] { x[i + 1] - x[i] }
    each more[i] { if i < n { x[i] } else { -(i as i32) } }
    each _half[i] { x[2 * i] }
    each size[] { n as i64 }
}
