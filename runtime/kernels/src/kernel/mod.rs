//! `kernel!`: the declaration of a function.
//!
//! The crate `cuvec-kernels-macro` reads the head of a declaration, [`read`] what is behind it, in steps of one macro that
//! hands what it has read to its next step. What is read are parameters `{name mode [type] [extents] (default) place}`, whose mode is one
//! of `scalar`, `read`, `inout`, `fresh` (an argument that is written alone), `maybe` (one that is read, or None), `maybe_inout`, `maybe_fresh`, `out` and `scratch`, and passes `{[suffix] form …}`. [`row`] makes the
//! spec that hosts read, [`entry`] the kernels of the GPU and the CPU path, of [`form`], which knows
//! what each form of a pass is. [`class`] makes several functions of one declaration: what a function belongs to is a part
//! of what hosts read, `{[row] [class] [state] [made] [methods]}`, of which all but the first are empty for most.

mod entry;
mod form;
mod option;
mod read;
mod row;
mod several;

pub use read::kernel;

/// Declares a class.
///
/// ```ignore
/// class! {
///     /// The background of a film: a running mean of its frames.
///     Background(height: usize, width: usize, *, rate: f32 = 0.5)
///     state mean: f32[height, width], weight: f32[];
///     each weight[] { rate }
///
///     /// The new part of a frame, which becomes part of the background.
///     fn subtract(frame: &f32[height, width]) -> difference: f32[height, width]
///     each difference[i, j] { frame[[i, j]] - mean[[i, j]] }
///     each mean[i, j] { mean + weight[[]] * difference[[i, j]] }
/// }
/// ```
///
/// The constructor is first, declared as in [`kernel!`](crate::kernel), without results. Its dtype variables belong to
/// the class: an object has the dtypes that it was constructed for. Behind it is the state of an object: arrays, in memory
/// of its own on the side where it lives, which start as zeros; one without extents is a scalar. Passes of the constructor and of the methods read and write them as arguments declared with `&mut`.
///
/// Each `fn` is a method, declared as a function is. It knows the names in the extents of the state.
pub use cuvec_kernels_macro::class;
