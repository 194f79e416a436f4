use crate::prelude::*;

kernel! {
    /// The plate after a step of reaction and diffusion. Its edges meet.
    ///
    /// U is the real part of `plate`, V the imaginary one. U is fed, U + 2 V becomes 3 V, and V decays:
    /// J. E. Pearson, "Complex patterns in a simple system", Science 261 (1993), 189. `feed` is given
    /// for each column, `kill` for each row; `diffusion` is for U; for V it is half as large. A step of
    /// time and a cell are 1.
    gray_scott(
        plate: &complex64[rows, columns],
        feed: &f32[columns],
        kill: &f32[rows],
        *,
        diffusion: f32 = 0.16
    ) -> next: complex64[rows, columns]
    where diffusion > 0.0 => "diffusion must be positive", diffusion <= 0.25 => "diffusion is above 0.25: unstable";
    each next[i, j] with plate.wrap(1) {
        let around = plate.near(-1, 0) + plate.near(1, 0) + plate.near(0, -1) + plate.near(0, 1);
        let here = plate.near(0, 0);
        let spread = (around - here * 4.0) * diffusion;
        let (u, v) = (here.re, here.im);
        let reaction = u * v * v;
        complex64::new(
            u + spread.re - reaction + feed[j] * (1.0 - u),
            v + spread.im * 0.5 + reaction - (feed[j] + kill[i]) * v,
        )
    }
}
