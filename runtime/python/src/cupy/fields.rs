//! Reads CuPy's arrays field by field: `__dlpack__` takes longer than a call.

use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering::SeqCst};

use cuvec_core::DType;
use cuvec_core::shape::InlineShape;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::finalization;
use crate::getter::Getter;
use crate::numpy;

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
