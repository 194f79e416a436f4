//! Arithmetic whose rounding errors are known. The GPU and the CPU give the same bits.

/// `a + b` as it is rounded, and the rounding error.
#[inline(always)]
pub fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

/// `a * b` as it is rounded, and the rounding error, which is not a number for infinities.
#[inline(always)]
pub fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    (product, fused(a, b, -product))
}

/// `sum + a * b` in double precision, where the product is exact.
#[inline(always)]
pub fn add_product(sum: f64, a: f32, b: f32) -> f64 {
    let (a, b) = (f64::from(a), f64::from(b));
    if cfg!(target_arch = "nvptx64") {
        fused(a, b, sum) // one instruction, and the same bits
    } else {
        sum + a * b
    }
}

/// `a * b + c`, rounded once.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
fn fused(a: f64, b: f64, c: f64) -> f64 {
    super::ptx::fused(a, b, c)
}

#[cfg(not(target_arch = "nvptx64"))]
#[inline(always)]
fn fused(a: f64, b: f64, c: f64) -> f64 {
    a.mul_add(b, c)
}
