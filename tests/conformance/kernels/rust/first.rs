use crate::prelude::*;

kernel! {
    /// The first element of `x`, or zero: a number of any dtype.
    first<T: bool | i8 | u8 | i16 | u16 | i32 | u32 | i64 | u64 | f16 | f32 | f64 | complex64 | complex128
        | bf16 | f8e4m3 | f8e5m2 | f8e8m0>(
        x: &T[n],
    ) -> _first: T
    each _first[] { if n > 0 { x[0] } else { T::default() } }
}
