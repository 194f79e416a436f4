use crate::prelude::*;

kernel! {
    /// Elements of `x` where `mask` is true, else of `y`.
    choose<T: bool | u8 | i16 | f16 | complex64>(mask: &bool[...], x: &T[...], y: &T[...]) -> _chosen: T[...] {
        *_chosen = if mask { x } else { y };
    }
}
