use crate::prelude::*;

kernel! {
    /// An activation of each element, at most `limit`.
    activate<T: f32 | f64>(x: &T[...], mode: {relu, silu} = relu, *, limit: T = inf) -> y: T[...] {
        let value = match mode {
            mode::relu if x > T::of(0.0) => x,
            mode::relu => T::of(0.0),
            mode::silu => x / (T::of(1.0) + (-x).exp()),
        };
        *y = if value < limit { value } else { limit };
    }
}
