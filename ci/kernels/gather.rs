use crate::prelude::*;

kernel! {
    /// Replace every number in `y` by that element of `x`, counted from 1.
    gather(x: &f32[n], y: &mut f32[n])
    each y[i] { x[(y as u32 - 1) as usize] }
}
