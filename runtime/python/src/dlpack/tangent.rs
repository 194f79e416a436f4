//! Tangents of PyTorch's tensors, of forward-mode derivatives, which DLPack knows nothing of.

use std::cell::Cell;

use cuvec_core::fork::Once;
use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyModule, PyTuple};

use super::exchange;
use crate::cupy::imported;
use crate::finalization;
use crate::interned::interned;

/// The module that knows whether anybody asks for such derivatives.
struct ForwardAd {
    names: Py<PyDict>,
    /// Its level while nobody does: there is one such object, so no number is read.
    nobody: Py<PyInt>,
}

static FORWARD_AD: Once<ForwardAd> = Once::new();

/// Refuses a tensor that has one: it would be lost without a word. Whether any can is asked once in a call.
pub fn refuse(object: Borrowed<'_, '_, PyAny>, nobody_asks: &Cell<bool>) -> PyResult<()> {
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
