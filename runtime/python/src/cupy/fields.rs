//! Reads CuPy's arrays field by field: `__dlpack__` takes longer than a call.

use std::sync::atomic::AtomicPtr;
use std::sync::atomic::Ordering::SeqCst;
use std::{mem, ptr};

use cuvec_core::DType;
use cuvec_core::shape::InlineShape;
use pyo3::exceptions::PyKeyError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyMappingProxy, PyString, PyTuple, PyType};

use crate::{finalization, numpy};

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
pub fn look(array: Borrowed<'_, '_, PyAny>) -> PyResult<()> {
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
