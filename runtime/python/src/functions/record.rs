//! Structs by value: a record of NumPy's, or a mapping.

use cuvec_core::DType;
use cuvec_core::functions::Scalar;
use cuvec_spec::{Field, Struct};
use pyo3::exceptions::{PyLookupError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

use super::number;
use crate::finalization::{self, interned};
use crate::numpy::{self, NdArray};
use crate::struct_dtype;

/// The bytes of a struct by value, for programs that run later; errors are as in a call.
#[pyfunction]
pub fn struct_bytes<'py>(
    argument: &str,
    structure: &str,
    object: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let Some(DType::Struct(structure)) = struct_dtype::named(structure) else {
        return Err(PyLookupError::new_err(format!("no struct `{structure}`")));
    };
    PyBytes::new_with(object.py(), structure.size, |bytes| {
        value(argument, structure, object.as_borrowed(), bytes)
    })
}

/// A struct by value: a record of NumPy's, or a mapping with a value for each member.
pub fn value(
    name: &str,
    structure: &'static Struct,
    object: Borrowed<'_, '_, PyAny>,
    bytes: &mut [u8],
) -> PyResult<()> {
    let py = object.py();
    let bytes = &mut bytes[..structure.size];
    let names = match (object.cast::<PyDict>(), members_of_record(object)?) {
        (Ok(dict), _) => dict.keys().into_any(),
        (_, Some((dtype, names))) => {
            if struct_dtype::find(dtype.as_borrowed())? == Some(DType::Struct(structure)) {
                let own = finalization::call_method(object, "tobytes", PyTuple::empty(py))?;
                let own = own.cast_into::<PyBytes>()?;
                let own = own.as_bytes().get(..structure.size); // of a class that says less
                let short = || PyValueError::new_err(format!("{name}.tobytes() lacks bytes"));
                bytes.copy_from_slice(own.ok_or_else(short)?);
                return Ok(());
            }
            names
        }
        _ => {
            let wanted = format!("a dict or a record of {}", structure.text());
            return Err(number::wrong_class(name, &wanted, object));
        }
    };
    let names = finalization::tuple(names.as_borrowed())?;
    let names = names.iter_borrowed();
    let names = names.map(|it| Ok(finalization::text(it)?.to_string_lossy().into_owned()));
    let names: Vec<String> = names.collect::<PyResult<_>>()?;
    check_names(name, structure, &names)?;
    bytes.fill(0); // of what lies between members
    for field in structure.fields {
        let given = finalization::item(object, PyString::new(py, field.name).as_any())?;
        let name = format!("{name}.{}", field.name);
        member(
            &name,
            field,
            field.shape,
            &given,
            &mut bytes[field.offset..],
        )?;
    }
    Ok(())
}

/// The dtype of a record of NumPy's, and the names of its members.
fn members_of_record<'py>(
    object: Borrowed<'_, 'py, PyAny>,
) -> PyResult<Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)>> {
    let is_record = numpy::is_scalar(object) || NdArray::of(object).is_some_and(|it| it.nd == 0);
    if !is_record {
        return Ok(None);
    }
    let py = object.py();
    let dtype = finalization::attribute(object, interned!(py, "dtype"))?;
    let names = struct_dtype::member_names(dtype.as_borrowed())?;
    Ok(names.map(|names| (dtype, names)))
}

fn check_names(name: &str, structure: &Struct, given: &[String]) -> PyResult<()> {
    let own = structure.fields.iter().map(|field| field.name);
    let missing: Vec<_> = own
        .filter(|own| !given.iter().any(|it| it == own))
        .collect();
    let is_own = |it: &&String| structure.fields.iter().any(|field| field.name == **it);
    let problem = match (&missing[..], given.iter().find(|it| !is_own(it))) {
        ([], None) => return Ok(()),
        ([], Some(unknown)) => format!("{name} has `{unknown}`, and {} has none", structure.name),
        (missing, _) => format!("{name} lacks `{}`", missing.join("`, `")),
    };
    Err(PyValueError::new_err(format!(
        "{problem}; it must be {}",
        structure.text()
    )))
}

/// A number, or an array of them that has this shape.
fn member(
    name: &str,
    field: &Field,
    shape: &[usize],
    given: &Bound<'_, PyAny>,
    to: &mut [u8],
) -> PyResult<()> {
    let size = field.dtype.size();
    let Some((&count, inner)) = shape.split_first() else {
        let mut value = [number::read(name, given.as_borrowed(), field.dtype)?];
        to[..size].copy_from_slice(&Scalar::bytes_of(&mut value)[..size]);
        return Ok(());
    };
    let length = number::length(given.as_borrowed())?;
    if length != Some(count) {
        let what = match length {
            None => format!(
                "must have {count} items, but is of type {}",
                given.get_type().name()?
            ),
            Some(length) => format!("must have {count} items, not {length}"),
        };
        return Err(PyValueError::new_err(format!("{name} {what}")));
    }
    let step = size * inner.iter().product::<usize>();
    for index in 0..count {
        let item = finalization::item(
            given.as_borrowed(),
            index.into_pyobject(given.py())?.as_any(),
        )?;
        member(
            &format!("{name}[{index}]"),
            field,
            inner,
            &item,
            &mut to[index * step..],
        )?;
    }
    Ok(())
}
