//! The functions of a table by their names in C, where std's methods of f32 and f64 look for them: so `x.sin()` is the same as
//! `Float::sin(x)`.

macro_rules! exported {
    ($($(#[$doc:meta])* $name:ident($($other:ident),*): $double:ident, $single:ident;)*) => {
        $(
            #[unsafe(no_mangle)]
            extern "C" fn $double(x: f64 $(, $other: f64)*) -> f64 {
                super::Float::$name(x $(, $other)*)
            }

            #[unsafe(no_mangle)]
            extern "C" fn $single(x: f32 $(, $other: f32)*) -> f32 {
                super::Float::$name(x $(, $other)*)
            }
        )*
    };
}
super::functions! { @rounded exported }
exported! {
    exp(): exp, expf;
    erf(): erf, erff;
}

macro_rules! merged {
    ($($float:ident: $sincos:ident, $exp10:ident;)*) => {
        $(
            /// Calculates the sine and the cosine of one number: the compiler calls it for both.
            ///
            /// # Safety
            /// There must be memory for both.
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $sincos(x: $float, sine: *mut $float, cosine: *mut $float) {
                // SAFETY: the caller's.
                unsafe {
                    *sine = super::Float::sin(x);
                    *cosine = super::Float::cos(x);
                }
            }

            /// Calculates a power of 10: the compiler calls it.
            #[unsafe(no_mangle)]
            extern "C" fn $exp10(x: $float) -> $float {
                super::Float::powf(10.0, x)
            }
        )*
    };
}
merged! {
    f32: sincosf, exp10f;
    f64: sincos, exp10;
}
