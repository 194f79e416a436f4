use crate::prelude::*;

kernel! {
    /// The brightness of red, green and blue, in bytes.
    gray(color: &u8[..., 3]) -> value: u8[...]
    each value[i] {
        let part = |weight, k| weight * u32::from(color[[i, k]]);
        ((part(299, 0) + part(587, 1) + part(114, 2) + 500) / 1000) as u8
    }
}
