use crate::prelude::*;

kernel! {
    /// Return a function of each element that need not be right to the last bits.
    approximate(x: &f32[n], *, f: {sin, cos, tan, exp, exp2, ln, log2, sqrt, rsqrt, recip, tanh, cubed}) -> y: f32[n]
    each y[i] {
        match f {
            f::sin => fast::sin(x[i]),
            f::cos => fast::cos(x[i]),
            f::tan => fast::tan(x[i]),
            f::exp => fast::exp(x[i]),
            f::exp2 => fast::exp2(x[i]),
            f::ln => fast::ln(x[i]),
            f::log2 => fast::log2(x[i]),
            f::sqrt => fast::sqrt(x[i]),
            f::rsqrt => fast::rsqrt(x[i]),
            f::recip => fast::recip(x[i]),
            f::tanh => fast::tanh(x[i]),
            f::cubed => fast::powf(x[i], 3.0),
        }
    }
}
