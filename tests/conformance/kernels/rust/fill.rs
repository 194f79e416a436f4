use crate::prelude::*;

kernel! {
    /// Write a number of any dtype to every element of `y`.
    fill<T: bool | i8 | u8 | i16 | u16 | i32 | u32 | i64 | u64 | f16 | f32 | f64 | complex64 | complex128
        | bf16 | f8e4m3 | f8e5m2 | f8e8m0>(
        y: &out T[...],
        a: T,
    ) { *y = a }
}
