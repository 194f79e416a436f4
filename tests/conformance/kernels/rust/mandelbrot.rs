use crate::prelude::*;

kernel! {
    /// Return for each point of a grid after how many steps `z * z + c` leaves the circle of radius 2; -1 for never.
    mandelbrot(h: usize, w: usize, *, limit: i32 = 100) -> steps: i32[h, w]
    each steps[i, j] {
        let c = complex128::new(-2.0 + 3.0 * j as f64 / w as f64, -1.5 + 3.0 * i as f64 / h as f64);
        let (mut z, mut step) = (c, 0);
        while step < limit && z.norm_sqr() <= 4.0 {
            z = z * z + c;
            step += 1;
        }
        if step == limit { -1 } else { step }
    }
}
