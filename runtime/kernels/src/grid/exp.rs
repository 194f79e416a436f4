//! e to the power of a number: 2^k · e^r with |r| ≤ ln 2 / 2. e^r is by its series in float64; in float32 by a polynomial that is
//! fitted so that its largest relative error is smallest, for less than a unit in the last place.
//!
//! Sums and products in one order: the same bits on the GPU and on the CPU.

use super::Float;

/// The reciprocals of the factorials, the last first: of the series in float64.
const DOUBLE: [f64; 12] = {
    let (mut terms, mut factorial, mut n) = ([0.0; 12], 1.0, 2);
    while n < 14 {
        factorial *= n as f64;
        terms[13 - n] = 1.0 / factorial;
        n += 1;
    }
    terms
};

#[inline(always)]
pub fn double(x: f64) -> f64 {
    let held = x.clamp(-746.0, 710.0);
    let scaled = held * core::f64::consts::LOG2_E;
    let k = (scaled + if scaled < 0.0 { -0.5 } else { 0.5 }) as i32;
    let whole = f64::from(k);
    let r = (held - whole * 6.931_471_803_691_238e-1) - whole * 1.908_214_929_270_587_7e-10;
    let mut sum = DOUBLE[0];
    for &term in &DOUBLE[1..] {
        sum = sum * r + term;
    }
    let sum = 1.0 + (r + sum * (r * r));
    // In two steps, for the largest and the smallest numbers.
    let half = k / 2;
    let power = |k: i32| f64::from_bits(((1023 + k) as u64) << 52);
    sum * power(half) * power(k - half)
}

#[inline(always)]
pub fn single(x: f32) -> f32 {
    let (sum, k) = split(x.clamp(-104.0, 89.0));
    let half = k >> 1;
    sum * power(half) * power(k - half)
}

/// For numbers from -87 to 88, where 2^k is a float32.
#[inline(always)]
pub fn within(x: f32) -> f32 {
    let (sum, k) = split(x);
    sum * power(k)
}

/// The coefficients, the highest power first.
const SINGLE: [f32; 7] = [
    1.381_460_1e-3,
    8.368_716e-3,
    4.166_839e-2,
    0.166_665_21,
    0.499_999_94,
    1.0,
    1.0,
];

/// Returns e^r and k.
#[inline(always)]
fn split(x: f32) -> (f32, i32) {
    const WHOLE: f32 = 12_582_912.0; // numbers of this size have no digits behind the point
    let shifted = Float::mul_add(x, core::f32::consts::LOG2_E, WHOLE);
    let whole = shifted - WHOLE;
    let k = shifted.to_bits().cast_signed() - WHOLE.to_bits().cast_signed();
    let r = Float::mul_add(
        whole,
        2.121_944_4e-4,
        Float::mul_add(whole, -0.693_359_4, x),
    );
    let mut sum = SINGLE[0];
    for &term in &SINGLE[1..] {
        sum = Float::mul_add(sum, r, term);
    }
    (sum, k)
}

/// Returns 2^k.
#[inline(always)]
fn power(k: i32) -> f32 {
    f32::from_bits(((127 + k) as u32) << 23)
}
