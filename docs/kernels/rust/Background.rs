use crate::prelude::*;

class! {
    /// The background of a film: a running mean of its frames.
    Background(height: usize, width: usize, *, rate: f32 = 0.5)
    state mean: f32[height, width], weight: f32[];
    each weight[] { rate }

    /// Return the new part of a frame, and add it to the background.
    fn subtract(frame: &f32[height, width]) -> difference: f32[height, width]
    each difference[i, j] { frame[[i, j]] - mean[[i, j]] }
    each mean[i, j] { mean + weight[[]] * difference[[i, j]] }

    /// Forget all frames.
    fn reset()
    each mean[_i, _j] { 0.0 }
}
