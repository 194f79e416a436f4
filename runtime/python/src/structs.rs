//! Structs of the package as dtypes of NumPy's, and by value.

use std::ptr;

use cuvec_core::DType;
use cuvec_core::fork::Once;
use cuvec_core::functions::{self, Scalar};
use cuvec_spec::{Field, Struct};
use pyo3::exceptions::{PyLookupError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

use crate::argument::{Unreadable, unsupported};
use crate::error::to_python;
use crate::finalization;
use crate::finalization::interned;
use crate::functions::number;
use crate::numpy::{self, NdArray};

/// Each with its dtype of NumPy's.
static STRUCTS: Once<Vec<(&'static Struct, Py<PyAny>)>> = Once::new();

/// Adds the dict `structs` of their dtypes, by their names.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let structs = functions::all_structs().map_err(to_python)?;
    let known = structs.into_iter().map(|it| Ok((it, dtype_of(py, it)?)));
    let known = known.collect::<PyResult<_>>()?;
    let dtypes = PyDict::new(py);
    for (structure, dtype) in STRUCTS.keep(known) {
        dtypes.set_item(structure.name, dtype)?;
    }
    module.add("structs", dtypes)
}

/// With the offsets that C has, which are the same as with `align=True`.
fn dtype_of(py: Python<'_>, structure: &Struct) -> PyResult<Py<PyAny>> {
    let (mut names, mut formats, mut offsets) = (Vec::new(), Vec::new(), Vec::new());
    for field in structure.fields {
        names.push(field.name);
        formats.push((field.dtype.name(), PyTuple::new(py, field.shape)?));
        offsets.push(field.offset);
    }
    let layout = PyDict::new(py);
    layout.set_item("names", names)?;
    layout.set_item("formats", formats)?;
    layout.set_item("offsets", offsets)?;
    layout.set_item("itemsize", structure.size)?;
    let options = PyDict::new(py);
    options.set_item("align", true)?;
    let dtype = finalization::named(finalization::import(py, "numpy")?.as_borrowed(), "dtype")?;
    let layout = PyTuple::new(py, [layout])?;
    Ok(finalization::call(&dtype, &layout, Some(&options))?.unbind())
}

fn known() -> &'static [(&'static Struct, Py<PyAny>)] {
    STRUCTS.get().map_or(&[], Vec::as_slice)
}

/// NumPy's dtype of a struct.
pub fn dtype<'py>(py: Python<'py>, structure: &'static Struct) -> PyResult<Bound<'py, PyAny>> {
    let mut known = known().iter();
    match known.find(|(it, _)| ptr::eq(*it, structure)) {
        Some((_, dtype)) => Ok(dtype.bind(py).clone()),
        None => Ok(dtype_of(py, structure)?.into_bound(py)),
    }
}

/// The struct of this name.
pub fn named(name: &str) -> Option<DType> {
    let mut structs = known().iter().map(|(structure, _)| *structure);
    Some(DType::Struct(structs.find(|it| it.name == name)?))
}

/// The struct whose dtype this is, or equals.
pub fn find(dtype: Borrowed<'_, '_, PyAny>) -> PyResult<Option<DType>> {
    let structs = known();
    if let Some((same, _)) = structs.iter().find(|(_, it)| it.is(dtype)) {
        return Ok(Some(DType::Struct(same)));
    }
    for (structure, own) in structs {
        if finalization::equal(dtype, own.bind(dtype.py()))? {
            return Ok(Some(DType::Struct(structure)));
        }
    }
    Ok(None)
}

/// The error for an array of another dtype.
#[cold]
pub fn refused(dtype: Borrowed<'_, '_, PyAny>) -> Unreadable {
    described(dtype).unwrap_or_else(Unreadable::Other)
}

fn described(dtype: Borrowed<'_, '_, PyAny>) -> PyResult<Unreadable> {
    let structs: Vec<_> = known().iter().map(|(it, _)| it.text()).collect();
    let text = finalization::text(dtype)?;
    let Some(names) = member_names(dtype)?.filter(|_| !structs.is_empty()) else {
        return Ok(unsupported(format_args!("dtype {text}")));
    };
    let what = format!("arrays of dtype {text} are not supported");
    Ok(Unreadable::Elements(match difference(dtype, &names)? {
        Some(difference) => format!("{what}: {difference}"),
        None => format!(
            "{what}; make them of a struct of this package, which are {}",
            structs.join(", ")
        ),
    }))
}

/// The names of the members of a dtype of records; none of other dtypes.
pub fn member_names<'py>(dtype: Borrowed<'_, 'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let names = finalization::attribute(dtype, interned!(dtype.py(), "names"))?;
    Ok((!names.is_none()).then_some(names))
}

/// How a dtype differs from the dtype of a struct with the same members, and what to do; none if there is no such struct.
fn difference(
    dtype: Borrowed<'_, '_, PyAny>,
    names: &Bound<'_, PyAny>,
) -> PyResult<Option<String>> {
    let py = dtype.py();
    for (structure, own) in known() {
        let own = own.bind(py).as_borrowed();
        let own_names = finalization::attribute(own, interned!(py, "names"))?;
        if !finalization::equal(names.as_borrowed(), &own_names)? {
            continue;
        }
        let name = structure.name;
        let instead = format!("; use this package's dtype `{name}`");
        for field in structure.fields {
            let (given, at) = member_of(dtype, field.name)?;
            let (wanted, _) = member_of(own, field.name)?;
            let (member, offset) = (field.name, field.offset);
            if !finalization::equal(given.as_borrowed(), &wanted)? {
                let [given, wanted] = [
                    finalization::text(given.as_borrowed())?,
                    finalization::text(wanted.as_borrowed())?,
                ];
                let what = format!("`{member}` is {given}, and {wanted} in {name}");
                return Ok(Some(what + &instead));
            }
            if at != offset {
                let what = format!("`{member}` is at byte {at}, and at {offset} in {name}");
                return Ok(Some(what + &instead + ", or align=True"));
            }
        }
        let what = format!("its size is not the {} bytes of {name}", structure.size);
        return Ok(Some(what + &instead + ", or align=True"));
    }
    Ok(None)
}

/// The dtype and the offset of a member.
fn member_of<'py>(
    dtype: Borrowed<'_, 'py, PyAny>,
    name: &str,
) -> PyResult<(Bound<'py, PyAny>, usize)> {
    let py = dtype.py();
    let members = finalization::attribute(dtype, interned!(py, "fields"))?;
    let member = finalization::item(members.as_borrowed(), PyString::new(py, name).as_any())?;
    let item =
        |index: usize| finalization::item(member.as_borrowed(), index.into_pyobject(py)?.as_any());
    Ok((item(0)?, finalization::integer(item(1)?.as_borrowed())?))
}

/// The bytes of a struct by value, for programs that are run later; an error as a call would raise it.
#[pyfunction]
pub fn struct_bytes<'py>(
    argument: &str,
    structure: &str,
    object: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let Some(DType::Struct(structure)) = named(structure) else {
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
            if find(dtype.as_borrowed())? == Some(DType::Struct(structure)) {
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
    let names = member_names(dtype.as_borrowed())?;
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
