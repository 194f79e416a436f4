//! What the package does with arrays besides its functions.

mod assign;

pub use assign::assign;
