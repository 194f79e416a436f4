//! `kernel!`: the declaration of a function.
//!
//! The crate `cuvec-kernels-macro` reads the head of a declaration, [`read`] what is behind it, in steps of one macro that
//! hands what it has read to its next step. What is read are parameters `{name mode [type] [extents] (default) place}`, whose mode is one
//! of `scalar`, `read`, `inout`, `fresh` (an argument that is written alone), `maybe` (one that is read, or None), `maybe_inout`, `maybe_fresh`, `out` and `scratch`, and passes `{[suffix] form …}`. [`row`] makes the
//! spec that hosts read, [`entry`] the kernels of the GPU and the CPU path, of [`form`], which knows
//! what each form of a pass is. [`class`] makes several functions of one declaration: what a function belongs to is a part
//! of what hosts read, `{[row] [class] [state] [made] [methods]}`, of which all but the first are empty for most.

mod class;
mod entry;
mod form;
mod option;
mod read;
mod row;
mod several;

pub use class::class;
pub use read::kernel;
