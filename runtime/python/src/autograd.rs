//! Derivatives of PyTorch: what calls write it is told, and what would be lost is refused.

use std::cell::Cell;

use cuvec_core::fork::Once;
use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyModule, PyTuple};

use crate::dlpack::exchange;
use crate::finalization::{self, imported, interned};

/// Function that increments the version of a tensor.
struct IncrementVersion {
    function: Py<PyAny>,
    /// True if it takes a tuple of tensors, as does the C function that PyTorch 2.5 calls.
    takes_tuple: bool,
}

static INCREMENT_VERSION: Once<IncrementVersion> = Once::new();

impl IncrementVersion {
    /// None if PyTorch was never imported.
    fn get(py: Python<'_>) -> PyResult<Option<&'static Self>> {
        if let Some(known) = INCREMENT_VERSION.get() {
            return Ok(Some(known));
        }
        let found = Self::find(py)?;
        Ok(found.map(|found| INCREMENT_VERSION.keep(found)))
    }

    fn find(py: Python<'_>) -> PyResult<Option<Self>> {
        let graph = imported(py, "torch.autograd.graph");
        let (Some(of_c), Some(graph)) = (imported(py, "torch._C"), graph) else {
            return Ok(None);
        };
        let no_tensors = (PyTuple::empty(py),).into_pyobject(py)?;
        if let Some(function) = finalization::named_opt(of_c.as_borrowed(), "_increment_version")?
            && finalization::call(&function, &no_tensors, None).is_ok()
        {
            return Ok(Some(Self {
                function: function.unbind(),
                takes_tuple: true,
            }));
        }
        let function = finalization::named(graph.as_borrowed(), "increment_version")?;
        Ok(Some(Self {
            function: function.unbind(),
            takes_tuple: false,
        }))
    }
}

/// Tells PyTorch that an array was written, if it is a tensor: a derivative that has kept what it was is an error from then on.
pub fn written(object: Borrowed<'_, '_, PyAny>) -> PyResult<()> {
    if !exchange::is_tensor(object)? {
        return Ok(());
    }
    let py = object.py();
    let Some(increment) = IncrementVersion::get(py)? else {
        return Ok(());
    };
    let mut arguments = PyTuple::new(py, [object])?;
    if increment.takes_tuple {
        arguments = PyTuple::new(py, [arguments])?;
    }
    finalization::call(increment.function.bind(py), &arguments, None)?;
    Ok(())
}

/// Refuses a tensor for a number if a gradient of it is wanted, which would be lost without a word.
#[cold]
pub fn refuse_number(name: &str, object: Borrowed<'_, '_, PyAny>) -> PyResult<()> {
    let py = object.py();
    let Some(torch) = imported(py, "torch") else {
        return Ok(());
    };
    if !exchange::is_tensor(object)? || !exchange::requires_grad(object, None)? {
        return Ok(());
    }
    let nothing = PyTuple::empty(py);
    let wanted = finalization::call_method(torch.as_borrowed(), "is_grad_enabled", nothing)?;
    match finalization::is_true(wanted.as_borrowed())? {
        false => Ok(()),
        true => Err(PyTypeError::new_err(format!(
            "{name} is a number, which has no gradient: pass {name}.detach(), or declare it as an \
             array, `{name}: T(...)`"
        ))),
    }
}

/// The module that knows whether anybody asks for such derivatives.
struct ForwardAd {
    names: Py<PyDict>,
    /// Its level while nobody does: there is one such object, so no number is read.
    nobody: Py<PyInt>,
}

static FORWARD_AD: Once<ForwardAd> = Once::new();

/// Refuses a tensor with a tangent, of which DLPack knows nothing: it would be lost without a word. Whether any can is asked once in a call.
pub fn refuse_tangent(object: Borrowed<'_, '_, PyAny>, nobody_asks: &Cell<bool>) -> PyResult<()> {
    if nobody_asks.get() {
        return Ok(());
    }
    let py = object.py();
    let Some(forward_ad) = forward_ad(py)? else {
        return Ok(());
    };
    let names = forward_ad.names.bind(py);
    // SAFETY: live objects. What is found may be gone by now, and is looked at by its address alone.
    let level = unsafe {
        ffi::PyDict_GetItemWithError(names.as_ptr(), interned!(py, "_current_level").as_ptr())
    };
    if level == forward_ad.nobody.as_ptr() {
        nobody_asks.set(true);
        return Ok(());
    }
    refuse_one(object, names)
}

/// Nothing before PyTorch was imported.
fn forward_ad(py: Python<'_>) -> PyResult<Option<&'static ForwardAd>> {
    if let Some(known) = FORWARD_AD.get() {
        return Ok(Some(known));
    }
    let Some(module) = imported(py, "torch.autograd.forward_ad") else {
        return Ok(None);
    };
    let names = module.cast::<PyModule>()?.dict().unbind();
    let nobody = PyInt::new(py, -1).unbind();
    let found = ForwardAd { names, nobody };
    Ok(Some(FORWARD_AD.keep(found)))
}

#[cold]
fn refuse_one(object: Borrowed<'_, '_, PyAny>, forward_ad: &Bound<'_, PyDict>) -> PyResult<()> {
    let Some(unpack) = finalization::value_of(forward_ad, "unpack_dual")? else {
        return Ok(());
    };
    if !exchange::is_tensor(object)? {
        return Ok(());
    }
    let unpacked = finalization::call(&unpack, &PyTuple::new(object.py(), [object])?, None)?;
    if finalization::named(unpacked.as_borrowed(), "tangent")?.is_none() {
        return Ok(());
    }
    Err(PyBufferError::new_err(
        "the tensor has a tangent of forward-mode derivatives, which would be lost; pass \
         torch.autograd.forward_ad.unpack_dual(tensor).primal",
    ))
}
