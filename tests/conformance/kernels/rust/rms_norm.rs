use crate::prelude::*;

kernel! {
    /// Divide the rows of `x` by their root mean square, and multiply by `weight`: leading dimensions.
    ///
    /// x: features, each row a sample
    /// weight: what each feature is multiplied by,
    ///     as it was learned
    /// eps : added to the mean, so that "zero" samples stay zero
    /// y: the samples, of a root mean square of about one
    /// rstd: one over the root mean square of each sample
    ///
    /// Reference: Zhang and Sennrich, 2019, whose text has a \ and """.
    rms_norm<T: f32 | bf16>(x: &T[..., n], weight: &T[n], *, eps: f64 = 1e-6) -> (y: T[..., n], rstd: saved f32[...])
    derivative dx, dweight = rms_norm_bwd(dy, x, weight, rstd);
    each rstd[row] {
        let mut squares = 0.0;
        for i in 0..n {
            let x = Real::real(x[[row, i]]);
            squares += x * x;
        }
        (1.0 / (squares / n as f64 + eps).sqrt()) as f32
    }
    each y[row, i] { Real::rounded(Real::real(x[[row, i]]) * f64::from(rstd[row]) * Real::real(weight[i])) }
}

trait Real {
    fn real(self) -> f64;
    fn rounded(value: f64) -> Self;
}

impl Real for f32 {
    #[inline(always)]
    fn real(self) -> f64 {
        self.into()
    }
    #[inline(always)]
    fn rounded(value: f64) -> Self {
        value as f32
    }
}

impl Real for bf16 {
    #[inline(always)]
    fn real(self) -> f64 {
        f32::from(self).into()
    }
    #[inline(always)]
    fn rounded(value: f64) -> Self {
        Self::from(value as f32)
    }
}
