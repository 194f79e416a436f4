//! Tangents of PyTorch's tensors, of forward-mode derivatives, which DLPack knows nothing of.

use pyo3::exceptions::PyBufferError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyModule};

use crate::cupy::imported;

/// The names of the module that knows whether anybody asks for such derivatives.
static FORWARD_AD: PyOnceLock<Py<PyDict>> = PyOnceLock::new();

/// Refuses a tensor that has one: it would be lost without a word.
pub fn refuse(object: Borrowed<'_, '_, PyAny>) -> PyResult<()> {
    let py = object.py();
    let names = match FORWARD_AD.get(py) {
        Some(names) => names,
        None => match imported(py, "torch.autograd.forward_ad") {
            Some(module) => {
                let names = module.cast::<PyModule>()?.dict().unbind();
                FORWARD_AD.get_or_init(py, || names)
            }
            None => return Ok(()),
        },
    };
    let names = names.bind(py);
    match names.get_item(intern!(py, "_current_level"))? {
        Some(level) if level.extract::<i64>()? < 0 => Ok(()), // nobody does
        _ => refuse_one(object, names),
    }
}

#[cold]
fn refuse_one(object: Borrowed<'_, '_, PyAny>, forward_ad: &Bound<'_, PyDict>) -> PyResult<()> {
    let (torch, unpack) = (
        forward_ad.get_item("torch")?,
        forward_ad.get_item("unpack_dual")?,
    );
    let (Some(torch), Some(unpack)) = (torch, unpack) else {
        return Ok(());
    };
    if object.is_instance(&torch.getattr("Tensor")?)?
        && !unpack.call1((object,))?.getattr("tangent")?.is_none()
    {
        return Err(PyBufferError::new_err(
            "the tensor has a tangent of forward-mode derivatives, which would be lost; pass \
             torch.autograd.forward_ad.unpack_dual(tensor).primal",
        ));
    }
    Ok(())
}
