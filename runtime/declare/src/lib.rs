//! The grammar of declarations, `gemv<T: float32, float64>(a: T(m,n), x: T(n)) -> y: T(m)`: text in, a [`Declaration`]
//! or a [`Fault`] out. So are derivatives and documentation, which come with them.

pub mod check;
pub mod declaration;
pub mod derivative;
pub mod doc;
pub mod dtype;
pub mod fault;
pub mod literal;
pub mod read;
pub mod signature;

pub use check::{check, checked};
pub use declaration::Declaration;
pub use dtype::DType;
pub use fault::Fault;
