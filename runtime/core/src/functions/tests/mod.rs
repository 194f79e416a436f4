//! Tests the checks of calls, and running them.

mod adapt;
mod checks;
mod classes;
mod derivative;
mod inner_call;
mod run;

use std::ffi::c_int;

use cuvec_spec::{
    Argument, DType, Dimension, Extent, MAX_ARGUMENTS, Shape, Spec, Term, Type, Value, Variable, c,
};

use super::function::Function;
use super::{Arrays, Dtypes, Scalar, Scalars, names};
use crate::array::{Array, Place};
use crate::error::Result;

pub const T: Type = Type::Variable(0);
pub const U: Type = Type::Variable(1);
pub const REAL: Type = Type::Fixed(DType::F64);
pub const COUNT: Type = Type::Fixed(DType::I32);

pub const M: Extent = Extent(&[Term::Dimension(0)]);
pub const N: Extent = Extent(&[Term::Dimension(1)]);
pub const N_LESS_1: Extent = Extent(&[Term::Dimension(1), Term::Number(1), Term::Subtract]);
pub const THREE: Extent = Extent(&[Term::Number(3)]);

const VARIABLES: [Variable; 2] = [
    Variable {
        name: "T",
        dtypes: &[DType::F32, DType::F64],
    },
    Variable {
        name: "U",
        dtypes: &[DType::I32],
    },
];

/// No body: tests of checks do not come so far.
unsafe extern "C" fn none(_: *mut c::Call, _: *const Value) -> c_int {
    unreachable!("a call that is checked only has run");
}

/// A function with the dimensions m and n, n given by the argument `size`; its variable T is
/// float32 or float64, U int32.
pub fn function(arguments: &'static [Argument], size: Option<usize>) -> Function {
    with_body(arguments, size, none)
}

/// The same with this body on the CPU.
pub fn with_body(arguments: &'static [Argument], size: Option<usize>, body: c::Body) -> Function {
    let variant = c::Variant {
        cpu: Some(body),
        gpu: None,
        lanes: 0,
    };
    let dimension = |name, scalar| Dimension { name, scalar };
    Function::new(Spec {
        name: "f",
        file: "kernels/f.rs",
        arguments,
        dimensions: vec![dimension("m", None), dimension("n", size)].leak(),
        // A declaration has an array for each of them.
        variables: match [T, U].map(|dtype| arguments.iter().any(|it| it.dtype == dtype)) {
            [_, true] => &VARIABLES,
            [true, false] => &VARIABLES[..1],
            [false, false] => &[],
        },
        variants: vec![variant; 2].leak(),
        ..Spec::EMPTY
    })
}

/// An array in memory that nobody has: checks do not look at elements.
pub fn array(address: usize, dtype: DType, shape: &[usize]) -> Array {
    Array {
        address,
        dtype,
        shape: shape.into(),
        strides: None,
        writable: true,
        place: Place::Host,
        ready: None,
    }
}

/// Float32 arrays of these shapes, far apart.
pub fn arrays(shapes: &[&[usize]]) -> Vec<Array> {
    let place = |index: usize| 4096 + (index << 20);
    let shapes = shapes.iter().enumerate();
    shapes
        .map(|(index, shape)| array(place(index), DType::F32, shape))
        .collect()
}

/// Arrays at the places of the arguments from `first` on.
pub fn given(first: usize, arrays: &[Array]) -> [Option<&Array>; MAX_ARGUMENTS] {
    let mut given = [None; MAX_ARGUMENTS];
    for (slot, array) in given[first..].iter_mut().zip(arrays) {
        *slot = Some(array);
    }
    given
}

pub fn no_scalars() -> [Scalar; MAX_ARGUMENTS] {
    [Scalar::default(); cuvec_spec::MAX_ARGUMENTS]
}

/// Checks a call as `_core` does; the shapes of the results that are to be allocated.
pub fn check(function: &Function, arrays: &Arrays, scalars: &Scalars) -> Result<Vec<Vec<usize>>> {
    let mut dtypes = Dtypes::default();
    function.dtypes(arrays, &mut dtypes)?;
    let plan = function.plan(arrays, scalars, dtypes)?;
    Ok(plan
        .pending
        .into_iter()
        .map(|pending| pending.shape)
        .collect())
}

pub const fn shape(extents: &'static [Extent]) -> Shape {
    Shape::of(extents)
}
