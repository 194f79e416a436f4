use crate::prelude::*;

kernel! {
    /// After how many steps of z*z + c |z| is larger than 2.
    mandelbrot(c: &complex128[...], limit: i64 = 100) -> steps: i32[...]
    {
        let (mut re, mut im) = (0.0, 0.0);
        *steps = 0;
        while i64::from(*steps) < limit && re.mul_add(re, im * im) <= 4.0 {
            (re, im) = (re.mul_add(re, c.re - im * im), (2.0 * re).mul_add(im, c.im));
            *steps += 1;
        }
    }
}
