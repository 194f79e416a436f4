//! From answers to the files of a package, in memory.

mod context;
pub mod lock;
mod plan;
mod render;
mod rendered;
mod sum;

pub use context::{ANSWERS, Context, context};
pub use plan::{FOLDER, Plan};
pub use render::{filled, render, render_with};
pub use rendered::Rendered;
pub use sum::sum;
