//! Structs of the package as dtypes of NumPy's.

use std::ptr;

use cuvec_core::DType;
use cuvec_core::fork::Once;
use cuvec_core::functions;
use cuvec_spec::Struct;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::error::{Unreadable, to_python, unsupported};
use crate::finalization::{self, interned};

/// Each with its dtype of NumPy's.
static STRUCTS: Once<Vec<(&'static Struct, Py<PyAny>)>> = Once::new();

/// Adds the dict `structs` of their dtypes, by their names.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let structs = functions::all_structs().map_err(to_python)?;
    let known = structs.into_iter().map(|it| Ok((it, make(py, it)?)));
    let known = known.collect::<PyResult<_>>()?;
    let dtypes = PyDict::new(py);
    for (structure, dtype) in STRUCTS.keep(known) {
        dtypes.set_item(structure.name, dtype)?;
    }
    module.add("structs", dtypes)
}

/// With the offsets that C has, which are the same as with `align=True`.
fn make(py: Python<'_>, structure: &Struct) -> PyResult<Py<PyAny>> {
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
        None => Ok(make(py, structure)?.into_bound(py)),
    }
}

/// The struct of this name.
pub fn named(name: &str) -> Option<DType> {
    let mut structs = known().iter().map(|(structure, _)| *structure);
    Some(DType::Struct(structs.find(|it| it.name == name)?))
}

/// The dtype of a `typestr` from an array interface, or of the name that a [`Buffer`](crate::buffer::Buffer) has
/// for a dtype beyond these.
pub fn dtype_of(typestr: &str) -> Result<DType, Unreadable> {
    let known = DType::from_typestr(typestr).or_else(|| named(typestr));
    known.ok_or_else(|| unsupported(format_args!("type {typestr:?}")))
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
