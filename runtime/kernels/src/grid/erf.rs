//! The error function of float32. It is x + x·P(x²) below 1, and 1 − e^−(x + x·Q(x)) above.
//!
//! P and Q are fitted so that the largest error of the result, relative to it, is smallest: it is below 1.1 units in the last place.

use super::{Float, exp};

#[inline(always)]
pub fn single(x: f32) -> f32 {
    let size = if x.abs() > 4.0 { 4.0 } else { x.abs() }; // beyond, it is 1
    let above = size >= 1.0;
    let variable = if above { size } else { size * size };
    // Both polynomials in the same instructions, by Horner's rule.
    let mut sum = if above { 1.396_236_8e-5 } else { 7.853_859e-5 };
    let mut add = |p: f32, q: f32| sum = Float::mul_add(sum, variable, if above { q } else { p });
    add(-8.010_193e-4, -3.505_913e-4);
    add(5.188_327_7e-3, 3.757_473_8e-3);
    add(-2.685_381_1e-2, -2.401_006_2e-2);
    add(0.112_835_854, 0.106_530_86);
    add(-0.376_126_26, 0.634_969_53);
    add(0.128_379_17, 0.128_694_34);
    let sum = Float::mul_add(sum, size, size);
    let positive = if above { 1.0 - exp::within(-sum) } else { sum };
    positive.copysign(x)
}
