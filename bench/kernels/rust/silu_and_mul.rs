use crate::prelude::*;

kernel! {
    /// `up`, times silu of `gate`.
    silu_and_mul<T: f32 | f16 | bf16>(gate: &T[...], up: &T[...]) -> y: T[...]
    derivative dgate, dup = silu_and_mul_bwd(dy, gate, up);
    {
        let gate = f32::from(gate);
        *y = T::from(gate * fast::recip(1.0 + fast::exp(-gate)) * f32::from(up));
    }
}
