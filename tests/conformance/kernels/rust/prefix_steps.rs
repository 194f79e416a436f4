use crate::prelude::*;

kernel! {
    /// The sums of the elements up to each one, in as many passes as the size has bits: Hillis and Steele (1986).
    prefix_steps(x: &i64[n]) -> y: i64[n]
    scratch before: i64[n];
    each y[i] { x[i] }
    for step in 0..(usize::BITS - n.leading_zeros()) as usize {
        each before[i] { y[i] }
        each y[i] { if i >= 1 << step { y + before[i - (1 << step)] } else { y } }
    }
}
