use crate::prelude::*;

kernel! {
    /// Write the elements of `x` to `y`, which has another dtype: two variables.
    cast<S: f32 | i32, T: f64 | i64 | complex64>(x: &S[m, n], y: &out T[m, n]) { *y = To::to(x) }
}

trait To<T> {
    fn to(self) -> T;
}

macro_rules! to {
    ($($from:ty: $($to:ty),*;)*) => {
        $($(impl To<$to> for $from {
            #[inline(always)]
            fn to(self) -> $to {
                self as $to
            }
        })*)*
    };
}

to! {
    f32: f32, f64, i64;
    i32: f32, f64, i64;
}

impl<S: To<f32>> To<complex64> for S {
    #[inline(always)]
    fn to(self) -> complex64 {
        complex64::from(To::<f32>::to(self))
    }
}
