//! Numbers that Python code gives, and gets.

use cuvec_core::functions::{Scalar, ScalarResult};
use cuvec_core::shape;
use cuvec_spec::{Argument, DType, Type};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyComplex, PyFloat, PyInt, PyString, PyTuple};

use crate::autograd;
use crate::finalization;
use crate::numpy::{self, NdArray};
use crate::subclass;

/// An array is no number, but for one without axes, mask and unit.
pub fn refuse_array(
    parameter: &Argument,
    name: &str,
    object: Borrowed<'_, '_, PyAny>,
) -> PyResult<()> {
    if is_plain(object) {
        return Ok(());
    }
    match NdArray::of(object) {
        Some(array) if array.nd > 0 => Err(match parameter.dtype {
            Type::Fixed(dtype) => Numbers::of(dtype).none(name, object),
            _ => no_number(name, object),
        }),
        Some(array) => subclass::refuse(array).map_err(|error| error.named(name, parameter.role)),
        None => Ok(()),
    }
}

/// Checks whether it is one of Python's own numbers, as nearly always.
fn is_plain(object: Borrowed<'_, '_, PyAny>) -> bool {
    object.is_exact_instance_of::<PyFloat>() || object.is_exact_instance_of::<PyInt>()
}

/// The index of what is given for an option.
pub fn choice(parameter: &Argument, object: Borrowed<'_, '_, PyAny>) -> PyResult<Scalar> {
    let wanted = || parameter.choices_text(", ", " or ");
    let Ok(text) = object.cast::<PyString>() else {
        return Err(wrong_class(parameter.name, &wanted(), object));
    };
    let text = text.to_string_lossy();
    let index = parameter.choices.iter().position(|choice| *choice == text);
    let index = index.and_then(|index| Scalar::integer(index as i128, DType::I32));
    index.ok_or_else(|| {
        let (name, wanted) = (parameter.name, wanted());
        PyValueError::new_err(format!("{name} must be {wanted}, not '{text}'"))
    })
}

/// The items of a tuple, in this dtype.
pub fn items(
    parameter: &Argument,
    object: Borrowed<'_, '_, PyAny>,
    dtype: DType,
    tuple: &mut [Scalar],
) -> PyResult<()> {
    let (name, count) = (parameter.name, parameter.items);
    let is_array = NdArray::of(object).is_some_and(|it| it.nd != 1);
    let Some(length) = length(object)?.filter(|_| !is_array) else {
        let one = Numbers::of(dtype).one();
        let one = one.split_once(' ').map_or(one, |(_, one)| one);
        return Err(wrong_class(
            name,
            &format!("a tuple of {count} {one}s"),
            object,
        ));
    };
    if length != count {
        let s = if count == 1 { "" } else { "s" };
        let message = format!("{name} must have {count} item{s}, not {length}");
        return Err(PyValueError::new_err(message));
    }
    for index in 0..count {
        let item = finalization::item(object, index.into_pyobject(object.py())?.as_any())?;
        let name = format!("{name}[{index}]");
        refuse_array(parameter, &name, item.as_borrowed())?;
        let item = read(&name, item.as_borrowed(), dtype)?;
        item.put(index, dtype, tuple);
    }
    Ok(())
}

/// How many items an object has; none for a text, and for what is no sequence.
pub fn length(object: Borrowed<'_, '_, PyAny>) -> PyResult<Option<usize>> {
    let is_text = object.is_instance_of::<PyString>() || object.is_instance_of::<PyBytes>();
    // SAFETY: a live object, whose class is looked at: sets and dicts have a length, and no order.
    if is_text || unsafe { ffi::PySequence_Check(object.as_ptr()) } == 0 {
        return Ok(None);
    }
    match finalization::length(object) {
        Ok(length) => Ok(Some(length)),
        Err(error) if error.is_instance_of::<PyTypeError>(object.py()) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Numbers that a scalar argument takes, by its dtype.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    Booleans,
    Integers,
    Reals,
    All,
}

impl Numbers {
    fn of(dtype: DType) -> Self {
        match dtype.kind() {
            'f' => Self::Reals,
            'c' => Self::All,
            'b' => Self::Booleans,
            _ => Self::Integers,
        }
    }

    /// The kinds of NumPy's dtypes that are such numbers. NumPy converts others as well: it drops
    /// imaginary parts and units, and reads texts.
    fn kinds(self) -> &'static [u8] {
        match self {
            Self::Booleans | Self::Integers => b"biu",
            Self::Reals => b"biuf",
            Self::All => b"biufc",
        }
    }

    /// The error for what is no such number.
    #[cold]
    fn none(self, name: &str, object: Borrowed<'_, '_, PyAny>) -> PyErr {
        wrong_class(name, self.one(), object)
    }

    fn one(self) -> &'static str {
        match self {
            Self::Booleans => "a bool",
            Self::Integers => "an integer",
            Self::Reals | Self::All => "a number",
        }
    }

    /// Refuses an object of a dtype that is none of them; returns the kind of its dtype, if it has one.
    fn check(self, name: &str, object: Borrowed<'_, '_, PyAny>) -> PyResult<Option<u8>> {
        if object.is_instance_of::<PyFloat>() || object.is_instance_of::<PyInt>() {
            return Ok(None);
        }
        autograd::refuse_number(name, object)?;
        let Some(kind) = numpy::kind_of(object)? else {
            return Ok(None);
        };
        if self.kinds().contains(&kind) {
            return Ok(Some(kind));
        }
        Err(match (self, kind) {
            (Self::Booleans | Self::Integers, _) => self.none(name, object),
            (Self::Reals, b'c') => no_real_number(name, object),
            _ => no_number(name, object),
        })
    }
}

/// A number, in this dtype.
pub fn read(name: &str, object: Borrowed<'_, '_, PyAny>, dtype: DType) -> PyResult<Scalar> {
    let numbers = Numbers::of(dtype);
    let kind = numbers.check(name, object)?;
    let scalar = match numbers {
        Numbers::Reals => Scalar::real(real(name, object, dtype)?, dtype),
        Numbers::All => {
            let number = complex(name, object, dtype)?;
            Scalar::complex(number.real(), number.imag(), dtype)
        }
        // NumPy's bool is no integer of Python's.
        Numbers::Booleans | Numbers::Integers if kind == Some(b'b') => {
            Scalar::integer(finalization::is_true(object)?.into(), dtype)
        }
        Numbers::Booleans | Numbers::Integers => {
            let value = integer(object).ok_or_else(|| numbers.none(name, object))?;
            value?.and_then(|value| Scalar::integer(value, dtype))
        }
    };
    scalar.ok_or_else(|| does_not_fit(name, object, dtype).unwrap_or_else(|error| error))
}

#[cold]
fn does_not_fit(name: &str, object: Borrowed<'_, '_, PyAny>, dtype: DType) -> PyResult<PyErr> {
    let (value, dtype) = (finalization::text(object)?, dtype.name());
    let message = format!("{name} = {value} does not fit into {dtype}");
    Ok(PyOverflowError::new_err(message))
}

fn real(name: &str, object: Borrowed<'_, '_, PyAny>, dtype: DType) -> PyResult<f64> {
    let value = match is_plain(object) {
        // SAFETY: a live object.
        true => unsafe { ffi::PyFloat_AsDouble(object.as_ptr()) },
        false => finalization::as_float(object),
    };
    if value == -1.0
        && let Some(error) = PyErr::take(object.py())
    {
        return Err(explained(name, object, dtype, error));
    }
    Ok(value)
}

fn complex<'py>(
    name: &str,
    object: Borrowed<'_, 'py, PyAny>,
    dtype: DType,
) -> PyResult<Bound<'py, PyComplex>> {
    let py = object.py();
    if object.is_instance_of::<PyString>() {
        return Err(no_number(name, object)); // complex("1j") would be one
    }
    if let Ok(number) = object.cast::<PyComplex>() {
        return Ok(number.to_owned());
    }
    let number = finalization::call(
        &py.get_type::<PyComplex>(),
        &PyTuple::new(py, [object])?,
        None,
    );
    let number = number.map_err(|error| explained(name, object, dtype, error))?;
    Ok(number.cast_into()?)
}

/// None if it is no integer.
fn integer(object: Borrowed<'_, '_, PyAny>) -> Option<PyResult<Option<i128>>> {
    // SAFETY: a live object.
    let is_integer = unsafe { ffi::PyIndex_Check(object.as_ptr()) } != 0;
    is_integer.then(|| value_of_integer(object))
}

/// None if it is larger than any dtype can hold.
fn value_of_integer(object: Borrowed<'_, '_, PyAny>) -> PyResult<Option<i128>> {
    let py = object.py();
    let index = finalization::as_index(object)?;
    // SAFETY: an integer of Python's.
    unsafe {
        let mut overflow = 0;
        let value = ffi::PyLong_AsLongLongAndOverflow(index.as_ptr(), &raw mut overflow);
        if overflow == 0 {
            return Ok(Some(value.into()));
        }
        if overflow < 0 {
            return Ok(None);
        }
        let value = ffi::PyLong_AsUnsignedLongLong(index.as_ptr());
        Ok(PyErr::take(py).is_none().then(|| value.into()))
    }
}

/// Returns Python's error for an object that is not such a number, or ours without such a method.
#[cold]
fn explained(name: &str, object: Borrowed<'_, '_, PyAny>, dtype: DType, error: PyErr) -> PyErr {
    let is_integer = object.is_instance_of::<PyInt>();
    if is_integer && error.is_instance_of::<PyOverflowError>(object.py()) {
        return does_not_fit(name, object, dtype).unwrap_or_else(|error| error);
    }
    if !error.is_instance_of::<PyTypeError>(object.py()) {
        return error;
    }
    let has = |methods: &[&str]| {
        let mut found = methods
            .iter()
            .map(|method| finalization::has(object, method));
        found.try_fold(false, |any, one| Ok::<_, PyErr>(any | one?))
    };
    let methods: &[&str] = match Numbers::of(dtype) {
        Numbers::All => &["__complex__", "__float__", "__index__"],
        _ => &["__float__", "__index__"],
    };
    match (has(methods), has(&["__complex__"])) {
        (Err(other), _) | (_, Err(other)) => other,
        (Ok(true), _) => error,
        (_, Ok(true)) => no_real_number(name, object),
        _ => no_number(name, object),
    }
}

#[cold]
fn no_number(name: &str, object: Borrowed<'_, '_, PyAny>) -> PyErr {
    wrong_class(name, "a number", object)
}

#[cold]
fn no_real_number(name: &str, object: Borrowed<'_, '_, PyAny>) -> PyErr {
    wrong_class(name, "a real number", object)
}

pub fn wrong_class(name: &str, wanted: &str, object: Borrowed<'_, '_, PyAny>) -> PyErr {
    match described(object) {
        Ok(what) => PyTypeError::new_err(format!("{name} must be {wanted}, not {what}")),
        Err(error) => error,
    }
}

/// Describes an object: its class, or the property that makes an array not such a number.
fn described(object: Borrowed<'_, '_, PyAny>) -> PyResult<String> {
    Ok(match NdArray::of(object) {
        Some(array) if array.nd > 0 => {
            format!("an array of shape {}", shape::display(array.shape()))
        }
        Some(array) => format!("an array of {}", finalization::text(array.descr())?),
        None => object.get_type().name()?.to_string(),
    })
}

/// The number in Python.
pub fn to_python<'py>(py: Python<'py>, number: &ScalarResult) -> PyResult<Bound<'py, PyAny>> {
    let (value, dtype) = (number.value, number.dtype);
    Ok(match dtype.kind() {
        'b' => PyBool::new(py, value.as_integer(dtype) != 0)
            .to_owned()
            .into_any(),
        'f' => PyFloat::new(py, value.as_real(dtype)).into_any(),
        'c' => {
            let (real, imaginary) = value.as_complex(dtype);
            PyComplex::from_doubles(py, real, imaginary).into_any()
        }
        _ => integer_in_python(py, value.as_integer(dtype))?.into_any(),
    })
}

fn integer_in_python(py: Python<'_>, value: i128) -> PyResult<Bound<'_, PyInt>> {
    match i64::try_from(value) {
        Ok(value) => Ok(value.into_pyobject(py)?),
        Err(_) => Ok((value as u64).into_pyobject(py)?), // the only other dtype
    }
}
