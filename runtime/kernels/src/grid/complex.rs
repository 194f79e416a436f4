//! Complex numbers, as NumPy keeps them, and real parts: `-> y: real(T)[n]`.

use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use super::small_float::*;
use super::{Float, Shuffle};

/// A complex number. It is read and written at once, so it lies at a multiple of its size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Complex<F: Float> {
    pub re: F,
    pub im: F,
    aligned: [F::AlignedPair; 0],
}

/// A complex number of two float32.
#[allow(non_camel_case_types)] // a dtype, as f32 is
pub type complex64 = Complex<f32>;

/// A complex number of two float64.
#[allow(non_camel_case_types)] // as above
pub type complex128 = Complex<f64>;

impl<F: Float> Complex<F> {
    #[inline(always)]
    #[must_use]
    pub fn new(re: F, im: F) -> Self {
        Self {
            re,
            im,
            aligned: [],
        }
    }

    /// The number with the other sign of `im`.
    #[inline(always)]
    #[must_use]
    pub fn conj(self) -> Self {
        Self::new(self.re, -self.im)
    }

    /// The square of the absolute value.
    #[inline(always)]
    #[must_use]
    pub fn norm_sqr(self) -> F {
        self.re * self.re + self.im * self.im
    }

    /// The number of this absolute value and angle.
    #[inline(always)]
    #[must_use]
    pub fn from_polar(norm: F, angle: F) -> Self {
        let (sin, cos) = angle.sin_cos();
        Self::new(norm * cos, norm * sin)
    }

    /// The angle, from -π to π.
    #[inline(always)]
    #[must_use]
    pub fn arg(self) -> F {
        self.im.atan2(self.re)
    }

    /// e to this power.
    #[inline(always)]
    #[must_use]
    pub fn exp(self) -> Self {
        Self::from_polar(self.re.exp(), self.im)
    }

    /// The absolute value.
    #[inline(always)]
    #[must_use]
    pub fn norm(self) -> F {
        self.abs()
    }

    /// The absolute value.
    #[inline(always)]
    #[must_use]
    pub fn abs(self) -> F {
        let (a, b) = (self.re.abs(), self.im.abs());
        let (small, large) = if a < b { (a, b) } else { (b, a) };
        if small == F::default() {
            return large;
        }
        let ratio = small / large; // squares would overflow
        large * (F::of(1.0) + ratio * ratio).sqrt()
    }
}

impl<F: Float> From<F> for Complex<F> {
    #[inline(always)]
    fn from(re: F) -> Self {
        Self::new(re, F::default())
    }
}

impl<F: Float> Add for Complex<F> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::new(self.re + other.re, self.im + other.im)
    }
}

impl<F: Float> Sub for Complex<F> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self::new(self.re - other.re, self.im - other.im)
    }
}

impl<F: Float> Mul for Complex<F> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let (a, b) = (self, other);
        Self::new(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
    }
}

impl<F: Float> Mul<F> for Complex<F> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: F) -> Self {
        Self::new(self.re * other, self.im * other)
    }
}

/// Smith's, which does not overflow on the way.
impl<F: Float> Div for Complex<F> {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        let (a, b) = (self, other);
        if b.re.abs() >= b.im.abs() {
            let ratio = b.im / b.re;
            let scale = b.re + b.im * ratio;
            Self::new((a.re + a.im * ratio) / scale, (a.im - a.re * ratio) / scale)
        } else {
            let ratio = b.re / b.im;
            let scale = b.re * ratio + b.im;
            Self::new((a.re * ratio + a.im) / scale, (a.im * ratio - a.re) / scale)
        }
    }
}

impl<F: Float> Neg for Complex<F> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(-self.re, -self.im)
    }
}

macro_rules! assign {
    ($($trait:ident $method:ident $operator:tt;)*) => {
        $(
            impl<F: Float> $trait for Complex<F> {
                #[inline(always)]
                fn $method(&mut self, other: Self) {
                    *self = *self $operator other;
                }
            }
        )*
    };
}

assign! {
    AddAssign add_assign +;
    SubAssign sub_assign -;
    MulAssign mul_assign *;
    DivAssign div_assign /;
}

impl<F: Float> Shuffle for Complex<F> {
    #[inline(always)]
    fn shuffle(self, how: impl Fn(u32) -> u32 + Copy) -> Self {
        Self::new(self.re.shuffle(how), self.im.shuffle(how))
    }
}

/// A type whose numbers have a real part, of type `Part`.
pub trait Real {
    type Part;
}

impl<F: Float> Real for Complex<F> {
    type Part = F;
}

macro_rules! themselves {
    ($($type:ty),*) => {
        $(
            impl Real for $type {
                type Part = Self;
            }
        )*
    };
}

themselves!(bool, i8, u8, i16, u16, i32, u32, i64, u64, f32, f64);
for_small_floats!(types themselves);
