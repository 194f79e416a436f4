//! NumPy's arrays and dtypes, field by field. NumPy 1 and 2 have them in the same places.
//!
//! <https://numpy.org/doc/stable/reference/c-api/types-and-structures.html>

mod create;
mod memory_owner;

use std::ffi::{c_char, c_int, c_long, c_void};
use std::ops::Deref;
use std::sync::atomic::AtomicPtr;
use std::sync::atomic::Ordering::SeqCst;
use std::{mem, ptr, slice};

use cuvec_core::fork::Once;
use cuvec_core::{DType, shape};
use pyo3::exceptions::PyImportError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

use crate::error::to_python;
use crate::finalization::interned;
use crate::{finalization, struct_dtype};

pub use create::{array, dtype_of, set_array_class};
pub use memory_owner::RetainedMemory;

/// The classes, which live for ever; null before [`load`]. No lock: a process that is forked while it is
/// taken waits for it for ever.
static NDARRAY: AtomicPtr<ffi::PyTypeObject> = AtomicPtr::new(ptr::null_mut());
static DTYPE: AtomicPtr<ffi::PyTypeObject> = AtomicPtr::new(ptr::null_mut());
static GENERIC: AtomicPtr<ffi::PyTypeObject> = AtomicPtr::new(ptr::null_mut());

const C_CONTIGUOUS: c_int = 0x0001;
const OWNDATA: c_int = 0x0004;
pub const WRITEABLE: c_int = 0x0400;

/// The fields of `PyArrayObject`.
#[repr(C)]
pub struct Fields {
    pub data: *mut c_void,
    pub nd: c_int,
    dimensions: *mut usize, // not negative
    strides: *mut isize,
    base: *mut ffi::PyObject,
    descr: *mut ffi::PyObject,
    flags: c_int,
    _weak_references: *mut ffi::PyObject,
    _buffer_info: *mut c_void,
    memory_handler: *mut ffi::PyObject,
}

/// The first ones of `PyArray_Descr`: what follows differs between NumPy 1 and 2.
#[repr(C)]
struct Descr {
    _typeobj: *mut ffi::PyTypeObject,
    kind: u8,
    _type: c_char,
    byteorder: u8,
    _flags: c_char,
    type_num: c_int,
}

/// Looks up the classes, and whether arrays are as expected.
pub fn load(numpy: Borrowed<'_, '_, PyAny>) -> PyResult<()> {
    load_size(numpy.py())?;
    for (slot, name) in [
        (&NDARRAY, "ndarray"),
        (&DTYPE, "dtype"),
        (&GENERIC, "generic"),
    ] {
        let class = finalization::named(numpy, name)?.cast_into::<PyType>()?;
        slot.store(class.into_ptr().cast(), SeqCst);
    }
    create::load(numpy.py())?;
    let array = finalization::call_method(numpy, "zeros", ((2, 3), "f4"))?;
    let data = finalization::named(array.as_borrowed(), "ctypes")?;
    let address: usize =
        finalization::integer(finalization::named(data.as_borrowed(), "data")?.as_borrowed())?;
    let is_as_expected = NdArray::of(array.as_borrowed()).is_some_and(|array| {
        (array.data as usize, array.nd) == (address, 2)
            && array.shape() == [2, 3]
            && dtype(array.descr()).is_ok_and(|dtype| dtype == Some(DType::F32))
            && array.has(OWNDATA)
            && memory_owner::can_free(array)
    });
    if !is_as_expected || !is_created_as_expected(&array)? {
        let version = finalization::named(numpy, "__version__")?;
        let version = finalization::text(version.as_borrowed())?;
        return Err(PyImportError::new_err(format!(
            "NumPy {version} is not supported: its arrays differ from arrays of NumPy 1 and 2"
        )));
    }
    Ok(())
}

/// Checks whether NumPy makes an array with the memory, the dtype and the shape of another one.
fn is_created_as_expected(memory: &Bound<'_, PyAny>) -> PyResult<bool> {
    let of = NdArray(memory.as_borrowed());
    let class = memory.get_type();
    // SAFETY: the memory of an array that owns it, and its shape.
    let array = unsafe {
        let dtype = of.descr().to_owned();
        array(&class, &dtype, of.shape(), of.data as usize, memory.clone())?
    };
    Ok(NdArray::of(array.as_borrowed()).is_some_and(|array| {
        array.data == of.data
            && array.shape() == [2, 3]
            && array.has(C_CONTIGUOUS)
            && array.has(WRITEABLE)
            && !array.has(OWNDATA)
            && array.base().is_some_and(|base| base.is(memory))
    }))
}

fn is_a(object: Borrowed<'_, '_, PyAny>, class: &AtomicPtr<ffi::PyTypeObject>) -> bool {
    let class = class.load(SeqCst);
    // SAFETY: a live object; null is no class of any.
    !class.is_null() && unsafe { ffi::PyObject_TypeCheck(object.as_ptr(), class) } != 0
}

/// An array of NumPy's, of a subclass perhaps.
#[derive(Clone, Copy)]
pub struct NdArray<'a, 'py>(Borrowed<'a, 'py, PyAny>);

impl<'a, 'py> NdArray<'a, 'py> {
    pub fn of(object: Borrowed<'a, 'py, PyAny>) -> Option<Self> {
        is_a(object, &NDARRAY).then_some(Self(object))
    }

    pub fn as_any(self) -> Borrowed<'a, 'py, PyAny> {
        self.0
    }

    /// True if it is not a subclass.
    pub fn is_exact(self) -> bool {
        self.0.get_type_ptr() == NDARRAY.load(SeqCst)
    }

    pub fn shape(&self) -> &[usize] {
        match self.nd {
            0 => &[],
            // SAFETY: as many dimensions as it has.
            nd => unsafe { slice::from_raw_parts(self.dimensions, nd as usize) },
        }
    }

    /// Its strides, in bytes, if it is not C-contiguous.
    pub fn scattered(&self, dtype: DType) -> PyResult<Option<Box<[isize]>>> {
        if self.has(C_CONTIGUOUS) {
            return Ok(None);
        }
        // SAFETY: as many as it has dimensions, of which an array that is not contiguous has some.
        let strides = unsafe { slice::from_raw_parts(self.strides, self.shape().len()) };
        let strides = strides.iter().map(|&stride| stride as i128);
        shape::scattered(self.data as usize, self.shape(), strides, dtype).map_err(to_python)
    }

    pub fn has(self, flag: c_int) -> bool {
        self.flags & flag != 0
    }

    /// The object whose memory it shows, which lives as long.
    pub fn base(self) -> Option<Borrowed<'a, 'py, PyAny>> {
        // SAFETY: null, or a live object.
        unsafe { Borrowed::from_ptr_or_opt(self.0.py(), self.base) }
    }

    /// True if calls use its memory, which is not its own meanwhile.
    pub fn is_retained(self) -> bool {
        memory_owner::owner_of(self).is_some()
    }

    pub fn descr(self) -> Borrowed<'a, 'py, PyAny> {
        // SAFETY: a live object.
        unsafe { Borrowed::from_ptr(self.0.py(), self.descr) }
    }

    /// None if it is none of [`DType`].
    pub fn dtype(self) -> PyResult<Option<DType>> {
        let dtype = self.descr();
        // SAFETY: a live dtype.
        known(dtype, unsafe { &*fields(dtype.as_ptr()) })
    }
}

impl Deref for NdArray<'_, '_> {
    type Target = Fields;

    fn deref(&self) -> &Fields {
        // SAFETY: a live array; NumPy keeps its fields valid.
        unsafe { &*fields(self.0.as_ptr()) }
    }
}

/// Checks whether a class is NumPy's class of arrays, or a subclass of it.
fn is_class_of_arrays(class: &Bound<'_, PyType>) -> bool {
    let ndarray = NDARRAY.load(SeqCst);
    // SAFETY: classes that live.
    !ndarray.is_null() && unsafe { ffi::PyType_IsSubtype(class.as_type_ptr(), ndarray) } != 0
}

/// The class of arrays, after [`load`].
fn ndarray(py: Python<'_>) -> Borrowed<'_, '_, PyAny> {
    // SAFETY: a class that lives for ever.
    unsafe { Borrowed::from_ptr(py, NDARRAY.load(SeqCst).cast()) }
}

/// Checks whether an object is a NumPy scalar.
pub fn is_scalar(object: Borrowed<'_, '_, PyAny>) -> bool {
    is_a(object, &GENERIC)
}

/// The dtype that an object is; none if it is none of [`DType`].
pub fn dtype(object: Borrowed<'_, '_, PyAny>) -> PyResult<Option<DType>> {
    match descr(&object) {
        Some(descr) => known(object, descr),
        None => Ok(None),
    }
}

/// The kind of the dtype that an object has: 'f' of an array of real numbers, or of one of them.
pub fn kind_of(object: Borrowed<'_, '_, PyAny>) -> PyResult<Option<u8>> {
    let py = object.py();
    let Some(dtype) = finalization::attribute_opt(object, interned!(py, "dtype"))? else {
        return Ok(None);
    };
    let dtype = dtype.as_borrowed();
    let Some(descr) = descr(&dtype) else {
        return Ok(None);
    };
    let known = known(dtype, descr)?;
    Ok(Some(known.map_or(descr.kind, |dtype| dtype.kind() as u8)))
}

fn descr<'a>(object: &'a Borrowed<'_, '_, PyAny>) -> Option<&'a Descr> {
    // SAFETY: a live dtype; NumPy keeps its fields valid.
    is_a(*object, &DTYPE).then(|| unsafe { &*fields(object.as_ptr()) })
}

fn known(object: Borrowed<'_, '_, PyAny>, descr: &Descr) -> PyResult<Option<DType>> {
    match descr.type_num {
        _ if descr.byteorder == SWAPPED => Ok(None),
        FIRST_EXTENSION.. => extension(object.py(), descr.type_num),
        VOID => struct_dtype::find(object),
        number => Ok(numpys(number)),
    }
}

const SWAPPED: u8 = if cfg!(target_endian = "little") {
    b'>'
} else {
    b'<'
};

/// The number of struct_dtype.
const VOID: c_int = 20;

/// NumPy counts from here what other packages register.
const FIRST_EXTENSION: c_int = 256;

/// The dtype of ml_dtypes that has this number, which it got when it was imported.
#[cold]
fn extension(py: Python<'_>, number: c_int) -> PyResult<Option<DType>> {
    static NUMBERS: Once<Vec<(c_int, DType)>> = Once::new();
    let numbers = match NUMBERS.get() {
        Some(numbers) => numbers,
        None => {
            let last = "uint4"; // it may be imported just now, by another thread
            let Some(ml_dtypes) = finalization::imported(py, "ml_dtypes") else {
                return Ok(None);
            };
            let ml_dtypes = ml_dtypes.as_borrowed();
            if !finalization::has(ml_dtypes, last)? {
                return Ok(None);
            }
            let dtype = finalization::import(py, "numpy")?;
            let dtype = finalization::named(dtype.as_borrowed(), "dtype")?;
            let extensions = DType::ALL.into_iter().filter(|dtype| dtype.is_extension());
            let numbered = extensions.map(|extension| {
                if !finalization::has(ml_dtypes, extension.name())? {
                    return Ok(None); // it is older
                }
                let class = finalization::named(ml_dtypes, extension.name())?;
                let made = finalization::call(&dtype, &PyTuple::new(py, [class])?, None)?;
                let number = finalization::named(made.as_borrowed(), "num")?;
                Ok(Some((
                    finalization::integer(number.as_borrowed())?,
                    extension,
                )))
            });
            let numbers = numbered
                .filter_map(Result::transpose)
                .collect::<PyResult<_>>()?;
            NUMBERS.keep(numbers)
        }
    };
    let mut extensions = numbers.iter().filter(|(its, _)| *its == number);
    Ok(extensions.next().map(|(_, dtype)| *dtype))
}

fn numpys(number: c_int) -> Option<DType> {
    use DType::{Bool, C64, C128, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
    const IS_64: bool = size_of::<c_long>() == 8;
    const LONG: [DType; 2] = if IS_64 { [I64, U64] } else { [I32, U32] };
    const NUMBERS: [DType; 13] = [
        Bool, I8, U8, I16, U16, I32, U32, LONG[0], LONG[1], I64, U64, F32, F64,
    ];
    Some(match number {
        number @ 0..=12 => NUMBERS[number as usize],
        14 => C64,
        15 => C128,
        23 => F16,
        _ => return None,
    })
}

/// The fields of an object's class, after what all objects begin with.
fn fields<T>(object: *mut ffi::PyObject) -> *mut T {
    object.wrapping_byte_add(size_of_head()).cast()
}

#[cfg(not(all(Py_LIMITED_API, Py_GIL_DISABLED)))]
fn size_of_head() -> usize {
    mem::size_of::<ffi::PyObject>()
}

#[cfg(not(all(Py_LIMITED_API, Py_GIL_DISABLED)))]
fn load_size(_py: Python<'_>) -> PyResult<()> {
    Ok(())
}

/// Size of an object under abi3t, where it differs with and without a GIL.
#[cfg(all(Py_LIMITED_API, Py_GIL_DISABLED))]
static SIZE: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);

#[cfg(all(Py_LIMITED_API, Py_GIL_DISABLED))]
fn size_of_head() -> usize {
    SIZE.load(std::sync::atomic::Ordering::Relaxed)
}

#[cfg(all(Py_LIMITED_API, Py_GIL_DISABLED))]
fn load_size(py: Python<'_>) -> PyResult<()> {
    let object = py.get_type::<PyAny>();
    let size = finalization::named(object.as_any().as_borrowed(), "__basicsize__")?;
    let size = finalization::integer(size.as_borrowed())?;
    debug_assert!(size >= 2 * mem::size_of::<usize>());
    SIZE.store(size, std::sync::atomic::Ordering::Relaxed);
    Ok(())
}
