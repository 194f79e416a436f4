//! Checks of arguments, with messages that say how to fix them. The messages are made apart: a call
//! that is right goes through little code.

use cuvec_spec::{DType, Role, runs_on};

use crate::array::{self, Array, Place};
use crate::error::{Error, Kind, Result};
use crate::shape;

/// Names of two arrays. Nobody asks before something is wrong with them.
pub trait Names<'n>: FnOnce() -> [&'n str; 2] {}

impl<'n, F: FnOnce() -> [&'n str; 2]> Names<'n> for F {}

/// The array has one of the dtypes `supported`.
pub fn dtype(name: &str, array: &Array, supported: &[DType]) -> Result<()> {
    if supported.contains(&array.dtype) {
        return Ok(());
    }
    let names: Vec<_> = supported.iter().map(|dtype| dtype.name()).collect();
    Err(Error::wrong_type(format_args!(
        "{name} has dtype {}, but must have {}",
        array.dtype.name(),
        names.join(" or ")
    )))
}

pub fn same_dtype<'n>(names: impl Names<'n>, x: &Array, y: &Array) -> Result<()> {
    if x.dtype == y.dtype {
        return Ok(());
    }
    let [x_name, y_name] = names();
    Err(Error::wrong_type(format_args!(
        "{x_name} and {y_name} must have the same dtype, not {} and {}",
        x.dtype.name(),
        y.dtype.name()
    )))
}

pub fn same_shape<'n>(names: impl Names<'n>, x: &Array, y: &Array) -> Result<()> {
    if x.shape == y.shape {
        return Ok(());
    }
    Err(other_shape(names(), x, y))
}

#[cold]
fn other_shape([x_name, y_name]: [&str; 2], x: &Array, y: &Array) -> Error {
    Error::wrong_value(format_args!(
        "{x_name} and {y_name} must have the same shape, not {} and {}",
        shape::display(&x.shape),
        shape::display(&y.shape)
    ))
}

/// The function is compiled for a GPU of this compute capability.
pub fn compiled_for(
    function: &str,
    compiled: &str,
    gpu: usize,
    capability: (i32, i32),
) -> Result<()> {
    if runs_on(compiled, capability) {
        return Ok(());
    }
    let what = match compiled {
        "" => "no GPU that this build is for".to_owned(),
        _ => format!("sm_{}", compiled.replace(", ", ", sm_")),
    };
    let (major, minor) = capability;
    let text = format!(
        "{function}(): it is compiled for {what}, and GPU {gpu} is sm_{major}{minor}; \
         use another GPU, or set CUVEC_DEVICE=cpu"
    );
    Err(Kind::Unavailable(text).into())
}

/// Fix for an array that is not laid out as a body takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fix {
    /// A copy of an array that is only read.
    Copy,
    /// A copy of one that is written, which the caller copies back.
    CopyBack,
    /// The same, or to declare the argument `strided`.
    CopyBackOrDeclare,
    /// Another array for a result, which cannot be declared so.
    CopyInto,
}

impl Fix {
    /// Returns the fix for an argument that cannot be declared otherwise.
    #[must_use]
    pub fn of(role: Role) -> Self {
        match role {
            Role::Result => Self::CopyInto,
            Role::InOut | Role::Out => Self::CopyBack,
            Role::In | Role::Scalar => Self::Copy,
        }
    }

    /// Returns the end of a hint to pass a contiguous copy.
    #[must_use]
    pub fn after_copy(self, name: &str) -> String {
        let back = format!(" and copy it back into {name}");
        match self {
            Self::Copy => String::new(),
            Self::CopyBack => back,
            Self::CopyBackOrDeclare => back + ", or declare the argument `strided`",
            Self::CopyInto => format!(" and copy it into {name}"),
        }
    }
}

/// The elements lie one after the other, each at a multiple of its size. Nobody asks for the name and
/// for what helps before something is wrong.
pub fn contiguous<'n>(about: impl FnOnce() -> (&'n str, Fix), array: &Array) -> Result<()> {
    if !array.is_contiguous() {
        return Err(scattered(about(), array));
    }
    aligned(about, array)
}

/// Each element lies at a multiple of its size, or where C puts a struct.
pub fn aligned<'n>(about: impl FnOnce() -> (&'n str, Fix), array: &Array) -> Result<()> {
    match array.is_aligned() {
        true => Ok(()),
        false => Err(unaligned(about())),
    }
}

#[cold]
fn scattered((name, fix): (&str, Fix), array: &Array) -> Error {
    let is_numpys = !matches!(array.place, Place::Foreign { .. });
    let then = match fix {
        Fix::Copy if is_numpys => format!(", such as numpy.ascontiguousarray({name})"),
        _ => fix.after_copy(name),
    };
    laid_out_otherwise(name, "C-contiguous", fix, &then)
}

#[cold]
fn unaligned((name, fix): (&str, Fix)) -> Error {
    let then = match fix {
        Fix::Copy => format!(", made by {name}.copy()"),
        Fix::CopyBackOrDeclare => Fix::CopyBack.after_copy(name), // with strides it is aligned, too
        Fix::CopyBack | Fix::CopyInto => fix.after_copy(name),
    };
    laid_out_otherwise(name, "aligned", fix, &then)
}

fn laid_out_otherwise(name: &str, expected: &str, fix: Fix, then: &str) -> Error {
    let what = match fix {
        Fix::CopyInto => "an array",
        _ => "a copy",
    };
    Error::wrong_value(format_args!(
        "{name} is not {expected}; pass {what} that is{then}"
    ))
}

pub fn writable<'n>(name: impl FnOnce() -> &'n str, array: &Array) -> Result<()> {
    if array.writable {
        return Ok(());
    }
    Err(read_only(name()))
}

#[cold]
fn read_only(name: &str) -> Error {
    Error::wrong_value(format_args!("{name} is written to, but it is read-only"))
}

/// No byte between the lowest and the highest of an array belongs to the other, or elements are known to be apart.
pub fn disjoint<'n>(names: impl Names<'n>, x: &Array, y: &Array) -> Result<()> {
    let (a, b) = (x.range(), y.range());
    if a.start.max(b.start) < a.end.min(b.end) && !array::are_apart(x, y) {
        return Err(overlapping(names()));
    }
    Ok(())
}

#[cold]
fn overlapping([x_name, y_name]: [&str; 2]) -> Error {
    Error::wrong_value(format_args!(
        "{x_name} and {y_name} overlap in memory; pass a copy of one of them"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(address: usize, shape: &[usize]) -> Array {
        Array {
            address,
            dtype: DType::F32,
            shape: shape.into(),
            strides: None,
            writable: true,
            place: Place::Host,
            ready: None,
        }
    }

    #[test]
    fn overlap_is_of_bytes() {
        let x = array(4096, &[4]);
        for (start, overlaps) in [
            (4080, false),
            (4084, true),
            (4096, true),
            (4108, true),
            (4112, false),
        ] {
            let y = array(start, &[4]);
            assert_eq!(
                disjoint(|| ["x", "y"], &x, &y).is_err(),
                overlaps,
                "{start}"
            );
        }
        assert!(disjoint(|| ["x", "y"], &x, &array(4100, &[0])).is_ok());
    }

    #[test]
    fn a_function_is_for_the_gpus_that_it_is_compiled_for() {
        let error = |compiled, capability| {
            let checked = compiled_for("f", compiled, 1, capability);
            checked.unwrap_err().to_string()
        };
        assert!(compiled_for("f", "90a, 100+", 0, (9, 0)).is_ok());
        assert_eq!(
            error("90a, 100+", (8, 6)),
            "f(): it is compiled for sm_90a, sm_100+, and GPU 1 is sm_86; use another GPU, or set CUVEC_DEVICE=cpu"
        );
        assert!(
            error("", (9, 0))
                .starts_with("f(): it is compiled for no GPU that this build is for, and")
        );
    }

    #[test]
    fn unaligned_elements_are_refused() {
        let check = |fix, address| {
            let checked = contiguous(|| ("x", fix), &array(address, &[4]));
            checked.map_err(|error| error.to_string())
        };
        assert_eq!(check(Fix::Copy, 4096), Ok(()));
        for (fix, help) in [
            (Fix::Copy, "a copy that is, made by x.copy()"),
            (Fix::CopyBack, "a copy that is and copy it back into x"),
            (
                Fix::CopyBackOrDeclare,
                "a copy that is and copy it back into x",
            ),
            (Fix::CopyInto, "an array that is and copy it into x"),
        ] {
            let message = format!("x is not aligned; pass {help}");
            assert_eq!(check(fix, 4098), Err(message));
        }
    }

    #[test]
    fn arrays_on_the_gpu_are_not_copied_by_numpy() {
        let scattered = |place| {
            let mut x = array(4096, &[4]);
            (x.strides, x.place) = (Some([8].into()), place);
            contiguous(|| ("x", Fix::Copy), &x).unwrap_err().to_string()
        };
        assert!(scattered(Place::Host).ends_with("such as numpy.ascontiguousarray(x)"));
        assert!(scattered(Place::Foreign { gpu: 0 }).ends_with("pass a copy that is"));
    }

    #[test]
    fn messages_name_the_arguments() {
        let (x, y) = (array(0, &[2]), array(64, &[3]));
        let message = same_shape(|| ["x", "y"], &x, &y).unwrap_err().to_string();
        assert_eq!(
            message,
            "x and y must have the same shape, not (2,) and (3,)"
        );
    }
}
