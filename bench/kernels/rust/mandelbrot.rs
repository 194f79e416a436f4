use crate::prelude::*;

kernel! {
    /// After how many steps of z*z + c |z| is larger than 2.
    mandelbrot(c: &complex128[...], limit: i64 = 100) -> steps: i32[...]
    {
        let mut z = c - c;
        *steps = 0;
        while i64::from(*steps) < limit && z.norm_sqr() <= 4.0 {
            z = z * z + c;
            *steps += 1;
        }
    }
}
