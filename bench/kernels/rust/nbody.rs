use crate::prelude::*;

kernel! {
    /// The accelerations of bodies that attract each other, by warps.
    nbody<T: f32 | f64>(place: &T[n, 3], mass: &T[n], *, softening: T = 0.1) -> acceleration: T[n, 3]
    each acceleration[i, k] by warp {
        warp.sum_of(n, |j| {
            let away = |k| place[[j, k]] - place[[i, k]];
            let square = away(0) * away(0) + away(1) * away(1) + away(2) * away(2) + softening * softening;
            mass[j] * away(k) / (square * square.sqrt())
        })
    }
}
