use crate::prelude::*;

kernel! {
    /// Move centers on a line to the mean of the points that are nearest to them, so many times: Lloyd (1982).
    lloyd(points: &f64[n], centers: &mut f64[k], *, steps: usize)
    scratch sums: f64[k], counts: i64[k];
    for step in 0..steps {
        block over points {
            block.each_of(points, |x| {
                let distance = |c| (x - centers.get(c)).abs();
                let nearest = (0..k).fold(Best::new(f64::INFINITY, 0), |best, c| best.smaller(distance(c), c)).place();
                sums.add(nearest, x);
                counts.add(nearest, 1);
            });
        }
        each centers[c] { if counts[c] == 0 { centers } else { sums[c] / counts[c] as f64 } }
    }
}
