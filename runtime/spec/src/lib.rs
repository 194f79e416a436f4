//! Describes declared functions, as data.
//!
//! A [`Spec`] says what a function is called, which arguments it has, and what runs it for each
//! choice of dtypes. The core reads specs from the rows of the library `_functions` ([`c`]), checks and
//! runs any call by its spec, and the Python module makes a function from each; neither knows more.
//!
//! ```
//! use cuvec_spec::{Argument, DType, Dimension, Extent, Shape, Spec, Term, Type, Variable};
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
//!         Argument::input("x", Type::Variable(0), Shape::of(&[N])),
//!         Argument::scalar("scale", Type::Variable(0)).keyword_only().or(cuvec_spec::Number::Integer(1)),
//!         Argument::result("", Type::Variable(0), Shape::of(&[])).as_number(),
//!     ],
//!     dimensions: &[Dimension { name: "n", scalar: None }],
//!     variables: &[Variable { name: "T", dtypes: &[DType::F32, DType::F64] }],
//!     ..Spec::EMPTY // with a variant for float32, and one for float64
//! };
//! assert_eq!(TOTAL.variant(&[DType::F64]), Some(1));
//! ```

pub mod adapter_stub;
mod argument;
pub mod c;
mod dtype;
mod extent;
pub mod print;
mod read;
mod report;
mod spec;
pub mod stub;
mod text;
mod value;

pub use argument::{Argument, DefaultValue, Layout, Role, Shape, Type};
pub use cuvec_declare::doc::is_identifier;
pub use cuvec_declare::dtype::SmallFloat;
pub use cuvec_declare::literal::Value as Number;
pub use cuvec_declare::{derivative, doc};
pub use dtype::{DType, Field, Struct};
pub use extent::{Dimension, Extent, Impossible, Term};
pub use report::Problem;
pub use spec::{Class, Spec, Variable, runs_on};
pub use value::{Status, Value};

/// The limits of a function: the core has room for as many on the stack.
pub use cuvec_declare::check::{
    ARGUMENTS as MAX_ARGUMENTS, DIMENSIONS as MAX_DIMENSIONS, RANK as MAX_RANK,
    VARIABLES as MAX_VARIABLES,
};
