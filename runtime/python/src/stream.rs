//! The `stream` argument, the streams that libraries work on, cached for all arrays of a call, and graphs that other libraries
//! record on a stream of their own.

use std::cell::Cell;
use std::ptr;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicPtr, AtomicUsize};

use cuvec_core::gpu::Gpu;
use cuvec_core::{Array, Device, Stream, array};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::dlpack::exchange;
use crate::dlpack::ffi::{CUDA, DLDevice, DLPackExchangeAPI};
use crate::error::{instead, to_python};
use crate::finalization::interned;
use crate::{cupy, finalization};

/// How many modules there were when it was last looked which libraries are imported.
static SEEN: AtomicUsize = AtomicUsize::new(usize::MAX);

/// PyTorch's functions for C, which live as long as the process; null without PyTorch.
static TORCH: AtomicPtr<DLPackExchangeAPI> = AtomicPtr::new(ptr::null_mut());

/// Refuses a call without `stream=` while PyTorch or CuPy records a graph on its current stream:
/// the call would run now, and be no part of the graph.
pub fn refuse_foreign_capture<'a>(
    py: Python<'_>,
    arrays: impl Iterator<Item = &'a Array>,
) -> PyResult<()> {
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

/// A CUDA stream: its handle, or an object that knows it.
pub struct StreamArgument(pub Stream);

impl StreamArgument {
    pub fn of(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let py = object.py();
        if object.is_instance_of::<pyo3::types::PyInt>() {
            return handle(object);
        }
        // https://nvidia.github.io/cuda-python/cuda-core/latest/interoperability.html
        if let Some(protocol) =
            finalization::attribute_opt(object, interned!(py, "__cuda_stream__"))?
        {
            let answer = finalization::call(&protocol, &PyTuple::empty(py), None)?;
            let wrong =
                || PyTypeError::new_err("__cuda_stream__ must return a version and a handle");
            let wrong = |error| instead(py, error, wrong);
            let [version, stream] = finalization::pair(&answer).map_err(wrong)?;
            finalization::integer::<u32>(version).map_err(wrong)?;
            return handle(stream);
        }
        // PyTorch and CuPy before that protocol.
        for attribute in [interned!(py, "cuda_stream"), interned!(py, "ptr")] {
            if let Some(stream) = finalization::attribute_opt(object, attribute)? {
                return handle(stream.as_borrowed());
            }
        }
        Err(PyTypeError::new_err(format!(
            "stream must be a CUDA stream's handle or an object with __cuda_stream__, not {}",
            object.get_type().name()?
        )))
    }

    /// One that may be left out, read by the method itself: what goes wrong before that is not in its `guard`.
    pub fn read(stream: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Stream>> {
        stream
            .map(|stream| Self::of(stream.as_borrowed()).map(|Self(stream)| stream))
            .transpose()
    }
}

fn handle(object: Borrowed<'_, '_, PyAny>) -> PyResult<StreamArgument> {
    let wrong = || PyValueError::new_err("stream is not the handle of a CUDA stream");
    finalization::integer(object)
        .map(|handle| StreamArgument(Stream(handle)))
        .map_err(|error| instead(object.py(), error, wrong))
}

/// A GPU, and the stream that a library works on there; none for memory of the host.
pub type OnGpu = Option<(&'static Gpu, Stream)>;

#[derive(Default)]
pub struct StreamCache {
    /// True if arrays may be borrowed from the caller: for a call with `stream=`. GPU memory that
    /// another thread releases meanwhile is reused in the order of its library's stream.
    pub may_borrow: bool,
    /// True if nobody asks PyTorch for forward-mode derivatives.
    pub without_tangents: Cell<bool>,
    cupys: Cell<Option<Stream>>,
    /// The answer of a library for this device.
    offered: Cell<Option<(&'static DLPackExchangeAPI, DLDevice, OnGpu)>>,
}

impl StreamCache {
    pub fn borrowing(may_borrow: bool) -> Self {
        Self {
            may_borrow,
            ..Self::default()
        }
    }

    /// The stream that CuPy works on, in this thread.
    pub fn cupys_stream(&self, py: Python<'_>) -> PyResult<Stream> {
        if let Some(stream) = self.cupys.get() {
            return Ok(stream);
        }
        let stream = cupy::current_stream(py)?.expect("known since its class was seen");
        self.cupys.set(Some(stream));
        Ok(stream)
    }

    /// The GPU of a device, and the stream that a library works on there in this thread.
    pub fn on(
        &self,
        py: Python<'_>,
        library: &'static DLPackExchangeAPI,
        device: DLDevice,
    ) -> PyResult<OnGpu> {
        if let Some((known, its, on)) = self.offered.get()
            && ptr::eq(known, library)
            && its == device
        {
            return Ok(on);
        }
        let on = match device.gpu()? {
            Some(gpu) => Some((gpu, exchange::stream_of(py, library, device)?)),
            None => None,
        };
        self.offered.set(Some((library, device, on)));
        Ok(on)
    }
}
