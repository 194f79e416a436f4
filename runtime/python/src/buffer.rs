//! The raw memory of an array.

use std::borrow::Cow;
use std::ffi::{CStr, c_int};
use std::ptr;
use std::sync::Arc;

use cuvec_core::memory::Side;
use cuvec_core::{Array, Block, DType, MemoryKind, Place, shape};
use pyo3::exceptions::{PyAttributeError, PyBufferError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use crate::dlpack::export::Export;
use crate::dlpack::ffi::{CPU, CUDA, DLDevice};
use crate::error::{guard, guard_object, to_python};
use crate::finalization;
use crate::hook::ARRAY_CLASS;
use crate::numpy;
use crate::stream::StreamArgument;
use crate::struct_dtype::dtype_of;

/// A block of memory that the host and the GPU both address, as a C-contiguous array.
///
/// Parameters
/// ----------
/// shape : tuple of int
/// typestr : str
///     Element type as in NumPy's array interface, such as "<f4".
/// memory : {"managed", "pinned"}
/// zero : bool
///     Fill with zeros; otherwise the contents are undefined.
///
/// Raises
/// ------
/// TypeError
///     An element type that is not supported.
/// ValueError
///     A negative or overflowing shape, or another kind of memory.
/// MemoryError
///     Not enough memory.
#[pyclass(frozen)]
pub struct Buffer {
    block: Arc<Block>,
    dtype: DType,
    format: Cow<'static, CStr>,
    shape: Vec<usize>,
    strides: Vec<isize>,
    bytes: usize,
}

impl Buffer {
    /// An array of so many bytes in a block.
    pub fn over(block: Arc<Block>, dtype: DType, shape: Vec<usize>, bytes: usize) -> Self {
        Self {
            block,
            dtype,
            format: dtype.format(),
            strides: shape::strides(&shape, dtype),
            shape,
            bytes,
        }
    }

    pub fn block(&self) -> &Arc<Block> {
        &self.block
    }

    /// Checks that the array to export is in the buffer.
    fn check(&self, export: &Export) -> PyResult<()> {
        if export.shape.len() != export.strides.len() {
            return Err(PyValueError::new_err(
                "shape and strides of the array to export differ in length",
            ));
        }
        if export.shape.iter().any(|&n| n < 0) {
            return Err(PyValueError::new_err(
                "a size of the array to export is negative",
            ));
        }
        let size = export.dtype.size() as i128;
        let strides = export.strides.iter().map(|&it| i128::from(it) * size);
        let sizes = export.shape.iter().map(|&n| i128::from(n));
        let reach = shape::reach(sizes.zip(strides), export.dtype);
        let offset = export.address as i128 - self.block.address() as i128;
        let is_inside = offset + reach.start >= 0 && offset + reach.end <= self.bytes as i128;
        if !reach.is_empty() && !is_inside {
            return Err(PyValueError::new_err(
                "the array to export is not in the buffer",
            ));
        }
        let device = (export.device.device_type, export.device.device_id);
        let own = self.block.gpu().map(|gpu| (CUDA, gpu as i32));
        if device != (CPU, 0) && Some(device) != own {
            return Err(PyValueError::new_err(
                "the buffer is not on the device to export for",
            ));
        }
        Ok(())
    }

    /// The buffer as an argument of a function.
    pub fn array(&self) -> Array {
        Array {
            address: self.block.address(),
            dtype: self.dtype,
            shape: self.shape[..].into(),
            strides: None,
            writable: true,
            place: match self.block.gpu() {
                Some(_) => Place::Block(self.block.clone()),
                None => Place::Host,
            },
            ready: None,
        }
    }
}

#[pymethods]
impl Buffer {
    #[new]
    fn new(
        py: Python<'_>,
        shape: &Bound<'_, PyTuple>,
        typestr: &str,
        memory: &str,
        zero: bool,
    ) -> PyResult<Self> {
        guard(py, || {
            let dtype = dtype_of(typestr)?;
            let shape: Vec<usize> = shape.iter().map(|n| extent(&n)).collect::<PyResult<_>>()?;
            let kind = MemoryKind::from_name(memory).ok_or_else(|| {
                PyValueError::new_err(format!(
                    "memory is {memory:?}, but it must be \"managed\" or \"pinned\""
                ))
            })?;
            let bytes = shape::bytes(&shape, dtype).map_err(to_python)?;
            let allocate = if zero { Block::zeroed } else { Block::allocate };
            let block = py.detach(|| allocate(bytes, kind)).map_err(to_python)?;
            Ok(Self::over(block, dtype, shape, bytes))
        })
    }

    /// Extents, in elements.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        guard(py, || PyTuple::new(py, &self.shape))
    }

    /// Element type as in NumPy's array interface.
    #[getter]
    fn typestr<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        guard_object(py, || Ok(self.dtype.typestr()))
    }

    /// Size in bytes.
    #[getter]
    fn nbytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        guard_object(py, || Ok(self.bytes))
    }

    /// Address of the first byte.
    #[getter]
    fn ptr<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        guard_object(py, || Ok(self.block.address()))
    }

    /// "managed" or "pinned", as asked for.
    #[getter]
    fn memory<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        guard_object(py, || Ok(self.block.kind().name()))
    }

    /// Index of the GPU that addresses it, None without a GPU.
    #[getter]
    fn device<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        guard_object(py, || Ok(self.block.gpu()))
    }

    /// The interface of CUDA arrays, version 3. Reading it waits for asynchronous calls
    /// that use the memory.
    #[getter(__cuda_array_interface__)]
    fn cuda_array_interface<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        guard(py, || {
            if self.block.gpu().is_none() {
                return Err(PyAttributeError::new_err(
                    "no __cuda_array_interface__: the memory is the host's, there is no GPU",
                ));
            }
            if self.dtype.is_extension() || self.dtype.structure().is_some() {
                return Err(PyAttributeError::new_err(format!(
                    "no __cuda_array_interface__: it cannot say {}; use DLPack",
                    self.dtype.name()
                )));
            }
            py.detach(|| self.block.synchronize()).map_err(to_python)?;
            self.block.expose();
            let interface = PyDict::new(py);
            interface.set_item("shape", PyTuple::new(py, &self.shape)?)?;
            interface.set_item("typestr", self.dtype.typestr())?;
            let address = if self.bytes == 0 {
                0
            } else {
                self.block.address()
            };
            interface.set_item("data", (address, false))?;
            interface.set_item("strides", py.None())?;
            interface.set_item("stream", py.None())?;
            interface.set_item("version", 3)?;
            Ok(interface)
        })
    }

    /// Move `nbytes` bytes from `offset` on to the "device" or the "host".
    #[pyo3(signature = (r#where, offset, nbytes, stream=None))]
    fn prefetch(
        &self,
        py: Python<'_>,
        r#where: &str,
        offset: usize,
        nbytes: usize,
        stream: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        guard(py, || {
            let side = Side::from_name(r#where).map_err(to_python)?;
            if offset
                .checked_add(nbytes)
                .is_none_or(|end| end > self.bytes)
            {
                return Err(PyValueError::new_err(
                    "the range to prefetch is not in the buffer",
                ));
            }
            let stream = StreamArgument::read(stream)?;
            py.detach(|| self.block.prefetch(side, offset, nbytes, stream))
                .map_err(to_python)
        })
    }

    /// Wait for asynchronous calls that use the memory.
    fn wait(&self, py: Python<'_>) -> PyResult<()> {
        guard(py, || {
            py.detach(|| self.block.synchronize()).map_err(to_python)
        })
    }

    /// A DLPack capsule of an array in this memory. It keeps the memory alive. Does
    /// not wait for asynchronous calls.
    #[allow(clippy::too_many_arguments)] // the fields of a DLTensor
    fn dlpack<'py>(
        &self,
        py: Python<'py>,
        address: usize,
        shape: &Bound<'py, PyAny>,
        strides: &Bound<'py, PyAny>,
        typestr: &str,
        readonly: bool,
        device: (u32, i32),
        versioned: bool,
        copied: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        guard(py, || {
            let dtype = dtype_of(typestr)?;
            if let Some(structure) = dtype.structure() {
                return Err(PyBufferError::new_err(format!(
                    "an array of the struct {} cannot be exported: DLPack has no structs; export its members, \
                     such as x[{:?}]",
                    structure.name,
                    structure.fields.first().map_or("", |field| field.name)
                )));
            }
            let (device_type, device_id) = device;
            let export = Export {
                address,
                shape: finalization::integers(shape.as_borrowed())?,
                strides: finalization::integers(strides.as_borrowed())?,
                dtype,
                read_only: readonly,
                device: DLDevice {
                    device_type,
                    device_id,
                },
                copied,
            };
            self.check(&export)?;
            self.block.expose();
            export.capsule(py, self.block.clone(), versioned)
        })
    }

    unsafe fn __getbuffer__(
        slf: Bound<'_, Self>,
        view: *mut ffi::Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        if view.is_null() {
            return Err(PyBufferError::new_err("no view to fill in"));
        }
        let this = slf.get();
        let asked = |flag: c_int| flags & flag == flag;
        // SAFETY: the interpreter passes a valid view; the shape, strides and format live as
        // long as the object, which the view owns a reference to.
        unsafe {
            (*view).buf = this.block.address() as *mut _;
            (*view).len = this.bytes as isize;
            (*view).readonly = 0;
            (*view).itemsize = this.dtype.size() as isize;
            (*view).format = match asked(ffi::PyBUF_FORMAT) {
                true => this.format.as_ptr().cast_mut(),
                false => ptr::null_mut(),
            };
            (*view).ndim = this.shape.len() as c_int;
            (*view).shape = match asked(ffi::PyBUF_ND) {
                true => this.shape.as_ptr().cast_mut().cast(),
                false => ptr::null_mut(),
            };
            (*view).strides = match asked(ffi::PyBUF_STRIDES) {
                true => this.strides.as_ptr().cast_mut(),
                false => ptr::null_mut(),
            };
            (*view).suboffsets = ptr::null_mut();
            (*view).internal = ptr::null_mut();
            (*view).obj = slf.into_ptr();
        }
        Ok(())
    }

    fn __repr__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        guard_object(py, || {
            Ok(format!(
                "Buffer(shape={}, typestr='{}', memory='{}', ptr={:#x})",
                shape::display(&self.shape),
                self.dtype.typestr(),
                self.block.kind().name(),
                self.block.address()
            ))
        })
    }
}

/// The array over a whole buffer, of its shape and dtype.
#[pyfunction]
pub fn array_of<'py>(buffer: &Bound<'py, Buffer>) -> PyResult<Bound<'py, PyAny>> {
    let py = buffer.py();
    let class = ARRAY_CLASS.get(py)?.into_bound(py).cast_into::<PyType>()?;
    let this = buffer.get();
    let dtype = numpy::dtype_of(py, this.dtype)?;
    // SAFETY: the buffer has so many elements, and the array retains it; the class is a subclass of NumPy's.
    unsafe {
        let owner = buffer.clone().into_any();
        numpy::array(&class, &dtype, &this.shape, this.block.address(), owner)
    }
}

/// One extent of a shape.
fn extent(n: &Bound<'_, PyAny>) -> PyResult<usize> {
    let n = finalization::as_index(n.as_borrowed())?;
    match finalization::integer::<isize>(n.as_borrowed()) {
        Ok(extent @ 0..) => Ok(extent.cast_unsigned()),
        _ => Err(wrong_extent(n.as_borrowed())?),
    }
}

#[cold]
fn wrong_extent(n: Borrowed<'_, '_, PyAny>) -> PyResult<PyErr> {
    let shown = finalization::text(n)?;
    let why = match shown.to_str()?.starts_with('-') {
        true => "negative",
        false => "larger than the address space",
    };
    Ok(PyValueError::new_err(format!(
        "the size {shown} of a dimension is {why}"
    )))
}
