//! CuPy's arrays. They are always on a GPU and ordered by CuPy's current stream, so that neither has
//! to be asked of each of them: `__dlpack_device__` and a wait for each array take longer than a call.

use std::ffi::{CStr, c_void};
use std::sync::atomic::AtomicPtr;
use std::sync::atomic::Ordering::SeqCst;
use std::{mem, ptr};

use cuvec_core::shape::InlineShape;
use cuvec_core::{DType, Stream};
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMappingProxy, PyString, PyTuple, PyType};

use crate::dlpack::capsule;
use crate::error::instead;
use crate::finalization;
use crate::numpy::{self, dtype_of};

/// Cython's `intptr_t (void)`: returns the handle, or -1 and perhaps an exception.
type CurrentStream = unsafe extern "C-unwind" fn() -> isize;

/// The class, which lives for ever: no other one gets its address. No lock, and no interned names
/// below: a process that is forked while they are made waits for them for ever.
static CLASS: AtomicPtr<ffi::PyObject> = AtomicPtr::new(ptr::null_mut());
static GET_CURRENT_STREAM: AtomicPtr<ffi::PyObject> = AtomicPtr::new(ptr::null_mut());
/// The same for C, as far as CuPy has it: a [`CurrentStream`].
static CURRENT_STREAM: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
/// Arguments for the capsules of its arrays. CuPy does not keep them.
static ARGUMENTS: AtomicPtr<ffi::PyObject> = AtomicPtr::new(ptr::null_mut());

/// Checks whether the object's class is CuPy's array class, and [`see`] has seen one before.
pub fn was_seen(object: Borrowed<'_, '_, PyAny>) -> bool {
    object.get_type_ptr().cast() == CLASS.load(SeqCst)
}

/// Looks whether it is; of a subclass it is not, which may export itself in another way.
pub fn see(object: Borrowed<'_, '_, PyAny>) -> PyResult<bool> {
    if !CLASS.load(SeqCst).is_null() {
        return Ok(false);
    }
    let py = object.py();
    let Some(module) = finalization::imported(py, "cupy") else {
        return Ok(false); // as mostly
    };
    let optional = finalization::named_opt;
    let module = module.as_borrowed();
    let (class, cuda) = (optional(module, "ndarray")?, optional(module, "cuda")?);
    let function = cuda.map(|it| optional(it.as_borrowed(), "get_current_stream"));
    let (Some(class), Some(function)) = (class, function.transpose()?.flatten()) else {
        return Ok(false); // it is being imported
    };
    if !class.is(object.get_type()) {
        return Ok(false);
    }
    know(function);
    look(object)?;
    let arguments = capsule::arguments_without_wait(py)?;
    ARGUMENTS.store(arguments.into_ptr(), SeqCst);
    CLASS.store(class.into_ptr(), SeqCst);
    Ok(true)
}

/// Returns the arguments for the capsule of an array; [`see`] has seen one.
pub fn arguments(py: Python<'_>) -> Option<Bound<'_, PyDict>> {
    let arguments = ARGUMENTS.load(SeqCst);
    // SAFETY: null, or a dictionary that is kept for good.
    unsafe { Bound::from_borrowed_ptr_or_opt(py, arguments).map(|it| it.cast_into_unchecked()) }
}

/// A new array of CuPy's for the result `name`, whose elements are not set.
pub fn empty<'py>(
    py: Python<'py>,
    name: &str,
    shape: &[usize],
    dtype: DType,
    gpu: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    use finalization::{call_method, import, named};
    let dtype = match dtype {
        DType::BF16 => dtype_of(py, dtype)?, // whose name is known once ml_dtypes is imported
        _ if dtype.is_extension() => {
            let dtype = dtype.name();
            let problem = format!("{name}: CuPy has no {dtype}; pass an array of cuvec as out");
            return Err(PyTypeError::new_err(problem));
        }
        _ => PyString::new(py, dtype.name()).into_any(),
    };
    let cupy = import(py, "cupy")?;
    let cuda = named(cupy.as_borrowed(), "cuda")?;
    let device = call_method(cuda.as_borrowed(), "Device", (gpu,))?;
    let device = device.as_borrowed();
    call_method(device, "__enter__", PyTuple::empty(py))?;
    let arguments = (PyTuple::new(py, shape)?, dtype);
    let made = call_method(cupy.as_borrowed(), "empty", arguments);
    call_method(device, "__exit__", (py.None(), py.None(), py.None()))?;
    made
}

/// Keeps the first function that says on which stream CuPy works, for good.
pub fn know(get_current_stream: Bound<'_, PyAny>) {
    let py = get_current_stream.py();
    let (nothing, new) = (ptr::null_mut(), get_current_stream.as_ptr());
    let kept = GET_CURRENT_STREAM.compare_exchange(nothing, new, SeqCst, SeqCst);
    if kept.is_ok() {
        let _ = get_current_stream.into_ptr();
        CURRENT_STREAM.store(for_c(py).unwrap_or(ptr::null_mut()), SeqCst);
    }
}

/// Returns the C function of CuPy's stream module that CuPy's own kernels call. Without it, the
/// Python function is called.
fn for_c(py: Python<'_>) -> Option<*mut c_void> {
    const SIGNATURE: &CStr = c"intptr_t (void)";
    let module = finalization::imported(py, "cupy_backends.cuda.stream")?;
    let exported = finalization::named(module.as_borrowed(), "__pyx_capi__").ok()?;
    let exported = exported.cast_into::<PyDict>().ok()?;
    let function = finalization::value_of(&exported, "get_current_stream_ptr").ok()??;
    // SAFETY: a live object, which need not be a capsule; its name is the signature.
    unsafe {
        let is_such = ffi::PyCapsule_IsValid(function.as_ptr(), SIGNATURE.as_ptr()) != 0;
        is_such.then(|| ffi::PyCapsule_GetPointer(function.as_ptr(), SIGNATURE.as_ptr()))
    }
}

/// True if the function is known, as it is once [`see`] has seen an array.
pub fn is_known() -> bool {
    !GET_CURRENT_STREAM.load(SeqCst).is_null()
}

/// The stream that CuPy works on, in this thread; none where it is not known how to ask.
pub fn current_stream(py: Python<'_>) -> PyResult<Option<Stream>> {
    let no_handle = || PyTypeError::new_err("CuPy's stream is no handle");
    let for_c = CURRENT_STREAM.load(SeqCst);
    if !for_c.is_null() {
        // SAFETY: a function of this signature, of a module that lives for ever; the GIL is held.
        let ask = unsafe { mem::transmute::<*mut c_void, CurrentStream>(for_c) };
        // SAFETY: the function has no arguments, and the GIL is held.
        let handle = finalization::outlive(|| unsafe { ask() });
        if handle == -1
            && let Some(error) = PyErr::take(py)
        {
            return Err(error);
        }
        return usize::try_from(handle)
            .map(|handle| Some(Stream(handle)))
            .map_err(|_| no_handle());
    }
    let function = GET_CURRENT_STREAM.load(SeqCst);
    // SAFETY: null, or kept for good.
    let Some(function) = (unsafe { Bound::from_borrowed_ptr_or_opt(py, function) }) else {
        return Ok(None);
    };
    let stream = finalization::call(&function, &PyTuple::empty(py), None)?;
    let handle = finalization::named(stream.as_borrowed(), "ptr")?;
    finalization::integer(handle.as_borrowed())
        .map(|it| Some(Stream(it)))
        .map_err(|error| instead(py, error, no_handle))
}

/// An array in memory of a GPU, with elements.
pub struct Fields {
    pub address: usize,
    pub gpu: i32,
    pub dtype: DType,
    pub shape: InlineShape,
}

/// The fields of an array, and of the `data` that it has.
struct Getters {
    data: Getter,
    dtype: Getter,
    shape: Getter,
    contiguous: Getter,
    class_of_data: *mut ffi::PyTypeObject,
    address: Getter,
    gpu: Getter,
}

/// None where a field is not one that is defined in C; for good.
static GETTERS: AtomicPtr<Getters> = AtomicPtr::new(ptr::null_mut());

/// Looks how the first of CuPy's arrays is read.
fn look(array: Borrowed<'_, '_, PyAny>) -> PyResult<()> {
    if let Some(getters) = getters_of(array)? {
        GETTERS.store(Box::into_raw(Box::new(getters)), SeqCst);
    }
    Ok(())
}

fn getters_of(array: Borrowed<'_, '_, PyAny>) -> PyResult<Option<Getters>> {
    let class = array.get_type();
    let find = |name| Getter::find(&class, name);
    let (Some(data), Some(dtype), Some(shape), Some(contiguous)) = (
        find("data")?,
        find("dtype")?,
        find("shape")?,
        find("_c_contiguous")?,
    ) else {
        return Ok(None);
    };
    let class = data.get(array)?.get_type();
    let find = |name| Getter::find(&class, name);
    let (Some(address), Some(gpu)) = (find("ptr")?, find("device_id")?) else {
        return Ok(None);
    };
    let class_of_data = class.as_type_ptr(); // the getters keep it
    Ok(Some(Getters {
        data,
        dtype,
        shape,
        contiguous,
        class_of_data,
        address,
        gpu,
    }))
}

/// None for an array without elements or with ones that are unknown, for one that is not C-contiguous, and
/// where CuPy is not as expected.
pub fn fields(array: Borrowed<'_, '_, PyAny>) -> PyResult<Option<Fields>> {
    // SAFETY: null, or a box that nobody frees.
    let Some(getters) = (unsafe { GETTERS.load(SeqCst).as_ref() }) else {
        return Ok(None);
    };
    let data = getters.data.get(array)?;
    if data.get_type_ptr() != getters.class_of_data {
        return Ok(None);
    }
    let address = getters.address.get(data.as_borrowed())?;
    let address: usize = finalization::integer(address.as_borrowed())?;
    let gpu = getters.gpu.get(data.as_borrowed())?;
    let gpu = finalization::integer(gpu.as_borrowed())?;
    let dtype = getters.dtype.get(array)?;
    let Some(dtype) = numpy::dtype(dtype.as_borrowed())? else {
        return Ok(None);
    };
    let shape = getters.shape.get(array)?.cast_into::<PyTuple>()?;
    let mut extents = [0; cuvec_spec::MAX_RANK];
    let Some(extents) = extents.get_mut(..shape.len()) else {
        return Ok(None);
    };
    for (extent, item) in extents.iter_mut().zip(shape.iter_borrowed()) {
        *extent = finalization::integer(item)?;
    }
    let shape = InlineShape::from(&*extents);
    let is_contiguous = finalization::is_true(getters.contiguous.get(array)?.as_borrowed())?;
    Ok(
        (address != 0 && shape.count() > 0 && is_contiguous).then_some(Fields {
            address,
            gpu,
            dtype,
            shape,
        }),
    )
}

/// A `descrgetfunc`.
type Get = unsafe extern "C-unwind" fn(
    *mut ffi::PyObject,
    *mut ffi::PyObject,
    *mut ffi::PyObject,
) -> *mut ffi::PyObject;

/// Reads an attribute of the objects of one class. To look it up for each object takes longer than to
/// read it.
pub struct Getter {
    class: *mut ffi::PyObject,
    descriptor: *mut ffi::PyObject,
    get: Get,
}

impl Getter {
    /// None for an attribute that is not defined in C, or not by the class or one that it is made of. What
    /// was found is kept for good.
    pub fn find(class: &Bound<'_, PyType>, name: &str) -> PyResult<Option<Self>> {
        let Some(descriptor) = defined(class, name)? else {
            return Ok(None);
        };
        // SAFETY: the class of a live object, and the slot's own type.
        let get = unsafe {
            let kind = ffi::Py_TYPE(descriptor.as_ptr());
            if kind != &raw mut ffi::PyGetSetDescr_Type && kind != &raw mut ffi::PyMemberDescr_Type
            {
                return Ok(None);
            }
            let get = ffi::PyType_GetSlot(kind, ffi::Py_tp_descr_get);
            mem::transmute::<*mut std::ffi::c_void, Option<Get>>(get)
        };
        Ok(get.map(|get| Self {
            class: class.clone().into_ptr(),
            descriptor: descriptor.into_ptr(),
            get,
        }))
    }

    pub fn get<'py>(&self, object: Borrowed<'_, 'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        // SAFETY: the descriptor and its class are kept; it looks itself what it is given.
        unsafe {
            let get = || (self.get)(self.descriptor, object.as_ptr(), self.class);
            let value = finalization::outlive(get);
            Bound::from_owned_ptr_or_err(object.py(), value)
        }
    }
}

/// Returns the attribute that a class, or the first of its bases with one, defines by this name.
fn defined<'py>(class: &Bound<'py, PyType>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    let classes =
        finalization::named(class.as_any().as_borrowed(), "__mro__")?.cast_into::<PyTuple>()?;
    for class in classes {
        let names =
            finalization::named(class.as_borrowed(), "__dict__")?.cast_into::<PyMappingProxy>()?;
        let name = PyString::new(class.py(), name);
        match finalization::item(names.as_any().as_borrowed(), name.as_any()) {
            Err(error) if error.is_instance_of::<PyKeyError>(class.py()) => {}
            found => return found.map(Some),
        }
    }
    Ok(None)
}
