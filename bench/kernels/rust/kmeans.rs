use crate::prelude::*;

kernel! {
    /// The nearest center of each point, the sum of the points of each center, and how many these are.
    kmeans<T: f32 | f64>(x: &T[n, d], center: &T[k, d]) -> (label: i64[n], total: T[k, d], count: i64[k])
    block over x {
        block.each_index(n, |i| {
            let distance = |k| (0..d).fold(T::of(0.0), |sum, j| {
                let apart = x[[i, j]] - center[[k, j]];
                sum + apart * apart
            });
            let nearest = (1..k).fold(0, |best, k| if distance(k) < distance(best) { k } else { best });
            label.add(i, nearest as i64);
            count.add(nearest, 1);
            for j in 0..d { total.add([nearest, j], x[[i, j]]) }
        });
    }
}
