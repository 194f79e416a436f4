use crate::prelude::*;

kernel! {
    /// Return the elements of `x` in the dtype that the caller asks for.
    astype<S: f32 | i32, D: f32 | f16 | i64>(x: &S[...], *, dtype: D = f16) -> y: D[...] { *y = As::to(x) }
}

trait As<T> {
    fn to(self) -> T;
}

macro_rules! to {
    ($($from:ty, $to:ty: $cast:expr;)*) => {
        $(impl As<$to> for $from {
            #[inline(always)]
            fn to(self) -> $to {
                ($cast)(self)
            }
        })*
    };
}

to! {
    f32, f32: |x| x;
    f32, f16: f16::from;
    f32, i64: |x| x as i64;
    i32, f32: |x| x as f32;
    i32, f16: |x| f16::from(x as f32);
    i32, i64: |x| x as i64;
}
