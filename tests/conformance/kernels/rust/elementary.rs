use crate::prelude::*;

kernel! {
    /// Return a function of each element.
    elementary<T: f32 | f64>(x: &T[n], *, f: {
        sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, exp, exp2, exp_m1, ln, ln_1p, log2,
        log10, sqrt, rsqrt, cbrt, erf, erfc, gamma, ln_gamma
    }) -> y: T[n]
    each y[i] { value(f, x[i]) }
}

#[inline(always)]
fn value<T: Float>(f: f, x: T) -> T {
    match f {
        f::sin => x.sin(),
        f::cos => x.cos(),
        f::tan => x.tan(),
        f::asin => x.asin(),
        f::acos => x.acos(),
        f::atan => x.atan(),
        f::sinh => x.sinh(),
        f::cosh => x.cosh(),
        f::tanh => x.tanh(),
        f::asinh => x.asinh(),
        f::acosh => x.acosh(),
        f::atanh => x.atanh(),
        f::exp => x.exp(),
        f::exp2 => x.exp2(),
        f::exp_m1 => x.exp_m1(),
        f::ln => x.ln(),
        f::ln_1p => x.ln_1p(),
        f::log2 => x.log2(),
        f::log10 => x.log10(),
        f::sqrt => x.sqrt(),
        f::rsqrt => x.rsqrt(),
        f::cbrt => x.cbrt(),
        f::erf => x.erf(),
        f::erfc => x.erfc(),
        f::gamma => x.gamma(),
        f::ln_gamma => x.ln_gamma(),
    }
}
