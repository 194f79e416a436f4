//! What a declared function is, as data.
//!
//! A [`Spec`] says what a function is called, which arguments it has, and what runs it for each
//! choice of dtypes. Specs are constants: written in Rust by the macro that kernels are declared
//! with, or read from the rows that a compiler of C++ has made ([`c`]). The host checks and runs
//! any call by its spec, and a bridge makes a function of Python from each; neither knows more.
//!
//! ```
//! use declared::{Argument, DType, Dimension, Extent, Shape, Spec, Term, Type, Variable, Variants};
//!
//! const N: Extent = Extent(&[Term::Dimension(0)]);
//!
//! // total<T: float32, float64>(x: T(n), *, scale: T = 1) -> T
//! static TOTAL: Spec = Spec {
//!     name: "total",
//!     signature: "total<T: float32, float64>(x: T(n), *, scale: T = 1) -> T",
//!     doc: "Sum of the elements of `x`, times `scale`.",
//!     file: "kernels/total.rs",
//!     arguments: &[
//!         Argument::input("x", Type::Variable(0), Shape::Extents(&[N])),
//!         Argument::scalar("scale", Type::Variable(0)).keyword_only().or(declared::Number::Integer(1)),
//!         Argument::result("", Type::Variable(0), Shape::Extents(&[])).as_number(),
//!     ],
//!     dimensions: &[Dimension { name: "n", scalar: None }],
//!     variables: &[Variable { name: "T", dtypes: &[DType::F32, DType::F64] }],
//!     variants: Variants::Rust(&[]), // one for float32, one for float64
//! };
//! assert_eq!(TOTAL.variant(&[DType::F64]), Some(1));
//! ```

mod argument;
pub mod body;
pub mod c;
mod dtype;
mod extent;
mod spec;
pub mod stub;
mod text;

pub use argument::{Argument, Number, Role, Shape, Type};
pub use body::{Body, Call, Failure, Kernel, Launch, Status, Value, Variant, Variants};
pub use dtype::DType;
pub use extent::{Dimension, Extent, Impossible, Term};
pub use spec::{Spec, Variable};

/// What bounds a function: hosts keep as many on the stack.
pub const MAX_ARGUMENTS: usize = 16;
pub const MAX_DIMENSIONS: usize = 16;
pub const MAX_VARIABLES: usize = 4;
pub const MAX_RANK: usize = 8;
