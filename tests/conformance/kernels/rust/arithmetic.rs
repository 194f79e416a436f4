use crate::prelude::*;

kernel! {
    /// Return a function of the elements at each place.
    arithmetic<T: f32 | f64 | bf16>(x: &T[n], y: &T[n], z: &T[n], *, f: {
        floor, ceil, round, trunc, fract, abs, signum, recip, to_degrees, to_radians, atan2, powf, hypot, rem_euclid,
        copysign, min, max, mul_add, clamp, cubed
    }) -> r: T[n]
    each r[i] { value(f, x[i], y[i], z[i]) }
}

#[inline(always)]
fn value<T: Float>(f: f, x: T, y: T, z: T) -> T {
    match f {
        f::floor => x.floor(),
        f::ceil => x.ceil(),
        f::round => x.round(),
        f::trunc => x.trunc(),
        f::fract => x.fract(),
        f::abs => x.abs(),
        f::signum => x.signum(),
        f::recip => x.recip(),
        f::to_degrees => x.to_degrees(),
        f::to_radians => x.to_radians(),
        f::atan2 => x.atan2(y),
        f::powf => x.powf(y),
        f::hypot => x.hypot(y),
        f::rem_euclid => x.rem_euclid(y),
        f::copysign => x.copysign(y),
        f::min => x.min(y),
        f::max => x.max(y),
        f::mul_add => x.mul_add(y, z),
        f::clamp => x.clamp(y, z),
        f::cubed => x.powi(3),
    }
}
