//! PyTorch's autograd: what calls write it is told, and a gradient that would be lost is refused.

use cuvec_core::fork::Once;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::cupy::imported;
use crate::dlpack::exchange;
use crate::finalization;

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
