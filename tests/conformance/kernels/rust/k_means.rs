use crate::prelude::*;

kernel! {
    /// Return to which center each point is nearest, and the centers of those points; one without points stays.
    k_means<T: f32 | f64>(points: &T[n, d], centers: &T[k, d]) -> (labels: i64[n], moved: T[k, d])
    scratch counts: i64[k];
    each labels[i] {
        let distance = |c| (0..d).fold(T::ZERO, |sum, j| {
            let apart = points[[i, j]] - centers[[c, j]];
            sum + apart * apart
        });
        (0..k).fold(Best::new(T::HIGHEST, 0), |best, c| best.smaller(distance(c), c)).place() as i64
    }
    each counts[c] by block { block.count_of(n, |i| labels[i] == c as i64) as i64 }
    each moved[c, j] by block {
        let sum = block.sum_of(n, |i| if labels[i] == c as i64 { points[[i, j]] } else { T::ZERO });
        if counts[c] == 0 { centers[[c, j]] } else { sum / counts[c] as T }
    }
}
