//! From answers to the files of a package, in memory.

mod context;
mod plan;
mod render;

pub use context::{ANSWERS, Context, context};
pub use plan::Plan;
pub use render::{Rendered, render, render_with};
