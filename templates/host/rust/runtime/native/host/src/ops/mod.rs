//! The functions of the package.
//!
//! Each checks its arguments before it touches anything, then runs on the device that the
//! arguments are on.

mod address;
mod assign;
mod axpy;
mod check;
mod dot;

pub use address::address;
pub use assign::assign;
pub use axpy::axpy;
pub use dot::dot;
