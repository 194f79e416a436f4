//! From answers to the files of a package, in memory.

mod context;
pub mod lock;
mod plan;
mod render;
mod rendered;
pub mod sums;

pub use context::{ANSWERS, Context, context};
pub use plan::Plan;
pub use render::{render, render_with};
pub use rendered::Rendered;
