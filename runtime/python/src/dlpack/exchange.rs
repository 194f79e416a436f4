//! DLPack without calls of Python: the functions that a class offers to C.
//!
//! <https://dmlc.github.io/dlpack/latest/c_api.html#c-exchange-api>

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem;
use std::ptr::{self, NonNull};
use std::sync::atomic::AtomicPtr;
use std::sync::atomic::Ordering::SeqCst;

use cuvec_core::{Array, DType, Stream};
use pyo3::exceptions::{PyBufferError, PyMemoryError, PyRuntimeError};
use pyo3::ffi::{self, PyCapsule_GetPointer};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple, PyType};

use super::capsule::Imported;
use super::ffi::{
    DLDevice, DLPACK_MAJOR_VERSION, DLPackExchangeAPI, DLPackExchangeAPIHeader, DLTensor,
};
use crate::cupy::Getter;
use crate::finalization::{self, interned};
use crate::numpy::NdArray;

const NAME: &CStr = c"dlpack_exchange_api";
const VERSIONS: usize = 16; // more than there are: a circle of them must end

/// A class, and the functions that it offers to C.
pub struct Offer {
    class: *mut ffi::PyTypeObject,
    pub functions: &'static DLPackExchangeAPI,
    /// True for PyTorch, whose tensors can be borrowed. All of them may be written to: a borrowed tensor
    /// of another library does not say so.
    pub can_borrow: bool,
    /// Getter of `requires_grad`.
    gradients: Option<Getter>,
}

/// The first one, for good: mostly there is no other, and to look again takes a part of a call.
static FIRST: AtomicPtr<Offer> = AtomicPtr::new(ptr::null_mut());

/// PyTorch's class of tensors, and what it offers, since one was seen.
static TENSOR: AtomicPtr<ffi::PyTypeObject> = AtomicPtr::new(ptr::null_mut());
static TORCHS: AtomicPtr<DLPackExchangeAPI> = AtomicPtr::new(ptr::null_mut());

/// Returns the offer of the object's class, if that was the first class ever found with one. None
/// for others, and when `__dlpack__` must decide about the object.
pub fn offered_first(object: Borrowed<'_, '_, PyAny>) -> PyResult<Option<&'static Offer>> {
    match first(object) {
        Some(offer) if !requires_grad(object, offer.gradients.as_ref())? => Ok(Some(offer)),
        _ => Ok(None),
    }
}

/// Returns the offer of an object of any other class, after [`offered_first`].
pub fn offered(object: Borrowed<'_, '_, PyAny>) -> PyResult<Option<&'static DLPackExchangeAPI>> {
    if first(object).is_some() {
        return Ok(None); // it was asked, and has gradients
    }
    let class = object.get_type();
    let name = interned!(object.py(), "__dlpack_c_exchange_api__");
    let offered = finalization::attribute_opt(class.as_any().as_borrowed(), name)?;
    let Some(offered) = offered.filter(|it| !it.is_none()) else {
        return Ok(None);
    };
    match functions(&offered)? {
        Some(functions) => {
            remember(class, functions)?;
            Ok((!requires_grad(object, None)?).then_some(functions))
        }
        None => Ok(None),
    }
}

fn first(object: Borrowed<'_, '_, PyAny>) -> Option<&'static Offer> {
    // SAFETY: null, or a box that nobody frees.
    let first = unsafe { FIRST.load(SeqCst).as_ref() }?;
    (first.class == object.get_type_ptr()).then_some(first)
}

/// Returns PyTorch's offer, for an object known to be its tensor, perhaps of a subclass.
pub fn torchs(object: Borrowed<'_, '_, PyAny>) -> Option<&'static DLPackExchangeAPI> {
    // SAFETY: null, or a class that lives for ever.
    let class = unsafe { TENSOR.load(SeqCst).as_mut() }?;
    // SAFETY: a live object and a live class.
    let is_its = unsafe { ffi::PyObject_TypeCheck(object.as_ptr(), class) != 0 };
    // SAFETY: null, or what lives as long as the process.
    unsafe { TORCHS.load(SeqCst).as_ref() }.filter(|_| is_its)
}

/// Checks whether the object is known to be PyTorch's, which is faster than checking for NumPy.
pub fn is_torchs(object: Borrowed<'_, '_, PyAny>) -> bool {
    first(object).is_some_and(|offer| offer.can_borrow)
}

/// Checks whether the object is a PyTorch tensor, of any class and any PyTorch version.
pub fn is_tensor(object: Borrowed<'_, '_, PyAny>) -> PyResult<bool> {
    if is_torchs(object) || torchs(object).is_some() {
        return Ok(true);
    }
    if NdArray::of(object).is_some() {
        return Ok(false);
    }
    let Some(torch) = finalization::imported(object.py(), "torch") else {
        return Ok(false);
    };
    match finalization::named_opt(torch.as_borrowed(), "Tensor")? {
        Some(class) => finalization::is_instance(object, &class),
        None => Ok(false), // it is being imported
    }
}

fn remember(class: Bound<'_, PyType>, functions: &'static DLPackExchangeAPI) -> PyResult<()> {
    if TENSOR.load(SeqCst).is_null()
        && let Some(torch) = finalization::imported(class.py(), "torch")
        && let Some(tensor) =
            finalization::attribute_opt(torch.as_borrowed(), interned!(class.py(), "Tensor"))?
        && finalization::is_subclass(class.as_any().as_borrowed(), &tensor)?
    {
        TORCHS.store(ptr::from_ref(functions).cast_mut(), SeqCst);
        TENSOR.store(tensor.into_ptr().cast(), SeqCst); // for good
    }
    if FIRST.load(SeqCst).is_null() {
        let has_unowned = functions.dltensor_from_py_object_no_sync.is_some();
        let offer = Box::into_raw(Box::new(Offer {
            gradients: Getter::find(&class, "requires_grad")?,
            can_borrow: has_unowned && is_of_torch(&class)?,
            class: class.into_ptr().cast(), // it lives for ever: no other one gets its address
            functions,
        }));
        let _ = FIRST.compare_exchange(ptr::null_mut(), offer, SeqCst, SeqCst);
    }
    Ok(())
}

fn is_of_torch(class: &Bound<'_, PyType>) -> PyResult<bool> {
    let module = finalization::named(class.as_any().as_borrowed(), "__module__")?;
    Ok(module.cast_into::<PyString>()?.to_str()? == "torch")
}

/// A tensor that is the object's own. Nothing has been waited for.
pub fn borrow_tensor(
    functions: &DLPackExchangeAPI,
    object: Borrowed<'_, '_, PyAny>,
) -> PyResult<DLTensor> {
    // SAFETY: a structure that may be of zeros.
    let mut tensor = unsafe { mem::zeroed() };
    if let Some(from_object) = functions.dltensor_from_py_object_no_sync {
        // SAFETY: a live object of the class that offers the function, and a place for the answer.
        let call = || unsafe { from_object(object.as_ptr().cast(), &raw mut tensor) };
        let status = finalization::outlive(call);
        expect_success(object.py(), status)?;
    }
    Ok(tensor)
}

/// Takes the tensor without a call of Python. Nothing has been waited for.
pub fn import(
    functions: &DLPackExchangeAPI,
    object: Borrowed<'_, '_, PyAny>,
) -> PyResult<Imported> {
    let py = object.py();
    let mut tensor = ptr::null_mut();
    if let Some(export) = functions.managed_tensor_from_py_object_no_sync {
        // SAFETY: a live object of the class that offers the function, and a place for the answer.
        let export = || unsafe { export(object.as_ptr().cast(), &raw mut tensor) };
        expect_success(py, finalization::outlive(export))?;
    }
    let Some(tensor) = NonNull::new(tensor) else {
        let what = "the array's library has exported no tensor";
        return Err(PyBufferError::new_err(what));
    };
    // SAFETY: the exporter vouches for its tensor, which is ours now.
    unsafe { Imported::versioned(tensor) }.map_err(PyBufferError::new_err)
}

/// Refuses a tensor of PyTorch whose elements are not what is in memory, which DLPack cannot say:
/// conjugates, and negatives. Those are imaginary parts of conjugates, and do not follow each other.
pub fn refuse_other_values(object: Borrowed<'_, '_, PyAny>, array: &Array) -> PyResult<()> {
    let py = object.py();
    let question = match array.dtype.kind() {
        'c' => interned!(py, "is_conj"),
        'f' if !array.is_contiguous() || array.shape.count() <= 1 => interned!(py, "is_neg"),
        _ => return Ok(()),
    };
    let Some(method) = finalization::attribute_opt(object, question)? else {
        return Ok(());
    };
    let answer = finalization::call(&method, &PyTuple::empty(py), None)?;
    match finalization::is_true(answer.as_borrowed())? {
        true => Err(PyBufferError::new_err(
            "the tensor is a view of conjugates or negatives, which cannot be exported; \
             pass tensor.resolve_conj().resolve_neg()",
        )),
        false => Ok(()),
    }
}

/// The stream that the library of a tensor on this device works on.
pub fn stream_of(
    py: Python<'_>,
    functions: &DLPackExchangeAPI,
    device: DLDevice,
) -> PyResult<Stream> {
    let mut stream = ptr::null_mut();
    if let Some(ask) = functions.current_work_stream {
        let (kind, index) = (device.device_type, device.device_id);
        // SAFETY: a function for C, and a place for the answer.
        let ask = || unsafe { ask(kind, index, &raw mut stream) };
        expect_success(py, finalization::outlive(ask))?;
    }
    Ok(Stream(stream as usize))
}

/// Returns the exception that such a function has set, unless its status is 0.
fn expect_success(py: Python<'_>, status: c_int) -> PyResult<()> {
    match status {
        0 => Ok(()),
        _ => Err(PyErr::take(py).unwrap_or_else(|| {
            let what = "the array could not be exported, and its library says no reason";
            PyBufferError::new_err(what)
        })),
    }
}

/// The functions of our version in a capsule, if those that we need are there.
pub fn functions(offered: &Bound<'_, PyAny>) -> PyResult<Option<&'static DLPackExchangeAPI>> {
    // SAFETY: it looks itself what it is given.
    let functions = unsafe { PyCapsule_GetPointer(offered.as_ptr(), NAME.as_ptr()) };
    if functions.is_null() {
        return Err(PyErr::fetch(offered.py()));
    }
    let mut next: *const DLPackExchangeAPIHeader = functions.cast();
    for _ in 0..VERSIONS {
        // SAFETY: the exporter vouches for what is in its capsule; headers are the same in all versions.
        let Some(header) = (unsafe { next.as_ref() }) else {
            break;
        };
        if header.major == DLPACK_MAJOR_VERSION {
            // SAFETY: this header is the beginning of our version's functions.
            let functions = unsafe { &*next.cast::<DLPackExchangeAPI>() };
            let complete = functions.managed_tensor_from_py_object_no_sync.is_some()
                && functions.current_work_stream.is_some();
            return Ok(complete.then_some(functions));
        }
        next = header.prev_api;
    }
    Ok(None)
}

/// Checks whether gradients are computed through the array. They would be lost silently: the C
/// functions ignore them, while `__dlpack__` refuses such an array.
pub fn requires_grad(object: Borrowed<'_, '_, PyAny>, getter: Option<&Getter>) -> PyResult<bool> {
    if let Some(getter) = getter
        && let Ok(answer) = getter.get(object)
    {
        return finalization::is_true(answer.as_borrowed());
    }
    match finalization::attribute_opt(object, interned!(object.py(), "requires_grad"))? {
        Some(answer) => finalization::is_true(answer.as_borrowed()),
        None => Ok(false),
    }
}

/// Makes a C-contiguous tensor whose elements are not set.
///
/// # Errors
/// MemoryError, or what the library raises.
pub fn new_tensor<'py>(
    py: Python<'py>,
    library: &DLPackExchangeAPI,
    dtype: DType,
    shape: &[usize],
    device: DLDevice,
) -> PyResult<Bound<'py, PyAny>> {
    let (Some(allocate), Some(to_object)) = (
        library.managed_tensor_allocator,
        library.managed_tensor_to_py_object_no_sync,
    ) else {
        return Err(PyBufferError::new_err(
            "the library of the arguments makes no tensors; pass out=",
        ));
    };
    let mut extents: Vec<i64> = shape.iter().map(|&size| size as i64).collect();
    let (code, bits) = dtype.dlpack();
    let mut prototype = DLTensor {
        data: ptr::null_mut(),
        device,
        ndim: extents.len() as i32,
        code,
        bits,
        lanes: 1,
        shape: extents.as_mut_ptr(),
        strides: ptr::null_mut(),
        byte_offset: 0,
    };
    let (mut made, mut error) = (ptr::null_mut(), None::<PyErr>);
    // SAFETY: a tensor to be like, a place for the answer, and a function that takes this place.
    let status = finalization::outlive(|| unsafe {
        allocate(
            &raw mut prototype,
            &raw mut made,
            (&raw mut error).cast(),
            set_error,
        )
    });
    if status != 0 || made.is_null() {
        let unknown = || PyRuntimeError::new_err("the library of the arguments made no tensor");
        return Err(error.or_else(|| PyErr::take(py)).unwrap_or_else(unknown));
    }
    let mut object = ptr::null_mut();
    // SAFETY: a tensor that is ours, which the function takes.
    let status = finalization::outlive(|| unsafe { to_object(made, &raw mut object) });
    expect_success(py, status)?;
    // SAFETY: a new reference.
    unsafe { Bound::from_owned_ptr_or_err(py, object.cast()) }
}

/// Remembers why a library makes no tensor.
unsafe extern "C-unwind" fn set_error(
    error: *mut c_void,
    kind: *const c_char,
    message: *const c_char,
) {
    // SAFETY: the place that was passed with this function, and strings of C.
    let (error, kind, message) = unsafe {
        (
            &mut *error.cast::<Option<PyErr>>(),
            CStr::from_ptr(kind),
            CStr::from_ptr(message).to_string_lossy().into_owned(),
        )
    };
    *error = Some(match kind.to_bytes() {
        b"MemoryError" => PyMemoryError::new_err(message),
        _ => PyRuntimeError::new_err(message),
    });
}
