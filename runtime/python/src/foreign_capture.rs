//! Graphs that other libraries record on a stream of their own.

use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::Relaxed};

use cuvec_core::gpu::Gpu;
use cuvec_core::{Array, Device, Stream, array};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::cupy;
use crate::dlpack::exchange;
use crate::dlpack::ffi::{CUDA, DLPackExchangeAPI};
use crate::error::to_python;
use crate::finalization;

/// How many modules there were when it was last looked which libraries are imported.
static SEEN: AtomicUsize = AtomicUsize::new(usize::MAX);

/// PyTorch's functions for C, which live as long as the process; null without PyTorch.
static TORCH: AtomicPtr<DLPackExchangeAPI> = AtomicPtr::new(ptr::null_mut());

/// Refuses a call without `stream=` while PyTorch or CuPy records a graph on its current stream:
/// the call would run now, and be no part of the graph.
pub fn refuse<'a>(py: Python<'_>, arrays: impl Iterator<Item = &'a Array>) -> PyResult<()> {
    let modules = modules(py);
    let count = modules.len();
    if SEEN.load(Relaxed) != count {
        SEEN.store(count, Relaxed);
        look(&modules)?;
    }
    let torch = TORCH.load(Relaxed);
    if torch.is_null() && !cupy::is_known() {
        return Ok(());
    }
    let Device::Gpu(gpu) = array::common_device(arrays).map_err(to_python)? else {
        return Ok(());
    };
    // For what the other library may do first of all.
    let _current = gpu.enter().map_err(to_python)?;
    // SAFETY: null, or functions that live as long as the process.
    let of_torch = unsafe { torch.as_ref() }.and_then(|torch| stream_of_torch(py, torch, gpu));
    for stream in [of_torch, cupy::current_stream(py)?].into_iter().flatten() {
        gpu.refuse_foreign_capture(stream).map_err(to_python)?;
    }
    Ok(())
}

/// Returns the imported modules. They outlive `sys`, which cannot be imported at the end.
fn modules(py: Python<'_>) -> Bound<'_, PyDict> {
    // SAFETY: the GIL is held, and the interpreter owns the dictionary.
    unsafe { Bound::from_borrowed_ptr(py, ffi::PyImport_GetModuleDict()).cast_into_unchecked() }
}

fn look(modules: &Bound<'_, PyDict>) -> PyResult<()> {
    if let Some(offered) = find(modules, ["torch", "Tensor", "__dlpack_c_exchange_api__"])?
        && !offered.is_none()
        && let Some(functions) = exchange::functions(&offered)?
    {
        TORCH.store(ptr::from_ref(functions).cast_mut(), Relaxed);
    }
    if let Some(function) = find(modules, ["cupy", "cuda", "get_current_stream"])? {
        cupy::know(function);
    }
    Ok(())
}

/// An attribute of an attribute of a module; none while any of them is not there yet.
fn find<'py>(
    modules: &Bound<'py, PyDict>,
    [module, outer, inner]: [&str; 3],
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(module) = finalization::value_of(modules, module)? else {
        return Ok(None);
    };
    match finalization::named_opt(module.as_borrowed(), outer)? {
        Some(outer) => finalization::named_opt(outer.as_borrowed(), inner),
        None => Ok(None),
    }
}

/// Without GPUs PyTorch has no stream, and is not asked again before more is imported.
fn stream_of_torch(py: Python<'_>, torch: &DLPackExchangeAPI, gpu: &Gpu) -> Option<Stream> {
    let mut stream = ptr::null_mut();
    let index = gpu.index as i32;
    // SAFETY: the GIL is held, and there is a place for the answer.
    let status = torch.current_work_stream.map(|function| {
        finalization::outlive(|| unsafe { function(CUDA, index, &raw mut stream) })
    });
    if status != Some(0) {
        PyErr::take(py);
        TORCH.store(ptr::null_mut(), Relaxed);
        return None;
    }
    Some(Stream(stream as usize))
}
