//! The memory of an array that a call has read.
//!
//! NumPy frees the memory of an array that gets other memory (`__setstate__`, or an assignment to `data`),
//! whoever uses it. During a call it belongs to an object of ours, as if the array were a view of that: then
//! NumPy does not free it, and does not resize it either.
//!
//! <https://numpy.org/doc/stable/reference/c-api/data_memory.html>

use std::ffi::{CStr, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::Relaxed, Ordering::SeqCst};

use cuvec_core::functions::INLINE_ARGS;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::{Fields, NdArray, OWNDATA};
use crate::error::keeping_exception;
use crate::finalization::{self, Kept};

const HANDLER: &CStr = c"mem_handler";

/// Owns the memory of an array as long as calls use it, or nothing: then all is null.
#[pyclass(frozen)]
#[derive(Default)]
pub struct MemoryOwner {
    memory: AtomicPtr<c_void>,
    elements: AtomicUsize,
    dtype: AtomicPtr<ffi::PyObject>,
    handler: AtomicPtr<ffi::PyObject>,
}

/// Owners of nothing, for the next calls: to make one takes a part of a small call. No lock: a process that
/// is forked while it is taken waits for it for ever.
static SPARE: [AtomicPtr<ffi::PyObject>; INLINE_ARGS] =
    [const { AtomicPtr::new(ptr::null_mut()) }; INLINE_ARGS];

impl MemoryOwner {
    fn new(py: Python<'_>) -> PyResult<Bound<'_, Self>> {
        let mut spare = SPARE.iter().map(|slot| slot.swap(ptr::null_mut(), SeqCst));
        match spare.find(|object| !object.is_null()) {
            // SAFETY: a reference that `give_back` has kept.
            Some(object) => unsafe { Ok(Bound::from_owned_ptr(py, object).cast_into_unchecked()) },
            None => Bound::new(py, Self::default()),
        }
    }

    /// Takes the memory that an array owns.
    fn take<'py>(array: NdArray<'_, 'py>) -> PyResult<Bound<'py, Self>> {
        let py = array.as_any().py();
        let owner = Self::new(py)?;
        let this = owner.get();
        this.memory.store(array.data, Relaxed);
        let elements = array.shape().iter().product();
        this.elements.store(elements, Relaxed);
        let dtype = array.descr().to_owned();
        this.dtype.store(dtype.into_ptr(), Relaxed);
        let fields = fields(array);
        // SAFETY: a live array with its objects, whose memory has no other owner.
        unsafe {
            this.handler
                .store(ffi::Py_NewRef((*fields).memory_handler), Relaxed);
            (*fields).base = owner.clone().into_ptr();
            (*fields).flags &= !OWNDATA;
        }
        Ok(owner)
    }

    /// Gives the memory back to the array, whose reference to this becomes a spare one.
    ///
    /// # Safety
    /// This must be the base of the array, and nobody else's but the caller's.
    unsafe fn give_back(&self, py: Python<'_>, array: *mut Fields) {
        drop(self.take_all(py));
        // SAFETY: the caller's; the reference is the array's.
        unsafe {
            let own = (*array).base;
            (*array).base = ptr::null_mut();
            (*array).flags |= OWNDATA;
            let keep = |slot: &AtomicPtr<_>| {
                slot.compare_exchange(ptr::null_mut(), own, SeqCst, SeqCst)
                    .is_ok()
            };
            if !SPARE.iter().any(keep) {
                ffi::Py_DECREF(own);
            }
        }
    }

    /// The memory, and the dtype and the handler of the array; then this owns nothing.
    fn take_all<'py>(&self, py: Python<'py>) -> Option<(*mut c_void, [Bound<'py, PyAny>; 2])> {
        let object = |slot: &AtomicPtr<_>| {
            // SAFETY: null, or a reference of this.
            unsafe { Bound::from_owned_ptr_or_opt(py, slot.swap(ptr::null_mut(), Relaxed)) }
        };
        let memory = self.memory.swap(ptr::null_mut(), Relaxed);
        Some((memory, [object(&self.dtype)?, object(&self.handler)?]))
    }

    /// Frees the memory, if this owns any: NumPy does, with an array of it.
    fn free(&self, py: Python<'_>) -> PyResult<()> {
        let Some((memory, [dtype, handler])) = self.take_all(py) else {
            return Ok(());
        };
        let arguments = ((0,), dtype).into_pyobject(py)?;
        let empty = finalization::call(&super::ndarray(py).to_owned(), &arguments, None)?;
        let empty = empty.as_borrowed();
        let view = finalization::call_method(empty, "view", PyTuple::empty(py))?; // which owns nothing
        let array: *mut Fields = super::fields(view.as_ptr());
        // SAFETY: an array of one axis and of this dtype, which nobody else has.
        unsafe {
            ffi::Py_CLEAR(&raw mut (*array).base);
            (*array).data = memory;
            *(*array).dimensions = self.elements.load(Relaxed);
            (*array).memory_handler = handler.into_ptr();
            (*array).flags |= OWNDATA;
        }
        Ok(())
    }
}

impl Drop for MemoryOwner {
    fn drop(&mut self) {
        // Objects of Python's are dropped while the interpreter is there.
        Python::attach(|py| {
            keeping_exception(py, || {
                if let Err(error) = self.free(py) {
                    finalization::unraisable(py, error);
                }
            });
        });
    }
}

/// An array whose memory is retained.
pub struct RetainedMemory {
    array: Kept,
    owner: Py<MemoryOwner>,
}

impl RetainedMemory {
    /// Returns the owner for an array's memory; none if NumPy does not say how it is freed.
    pub fn of(array: NdArray<'_, '_>) -> PyResult<Option<Self>> {
        let owner = match owner_of(array) {
            Some(owner) => owner.to_owned(), // another call uses it, too
            None if array.has(OWNDATA) && can_free(array) => MemoryOwner::take(array)?,
            None => return Ok(None),
        };
        Ok(Some(Self {
            array: array.as_any().to_owned().into(),
            owner: owner.unbind(),
        }))
    }
}

impl Drop for RetainedMemory {
    /// Gives the memory back to the array, if it is not for another call to do so.
    fn drop(&mut self) {
        // With an interpreter that is no more, memory is nobody's business.
        let _ = Python::try_attach(|py| {
            let array = fields(NdArray(self.array.bind(py)));
            let owner = self.owner.as_ptr();
            // SAFETY: live objects; two references are the array's and ours.
            unsafe {
                if (*array).base == owner && ffi::Py_REFCNT(owner) == 2 {
                    self.owner.get().give_back(py, array);
                }
            }
        });
    }
}

/// Returns the owner of an array's memory while calls use it.
pub fn owner_of<'a, 'py>(array: NdArray<'a, 'py>) -> Option<Borrowed<'a, 'py, MemoryOwner>> {
    array.base()?.cast().ok()
}

/// Checks whether an array knows how its memory is freed.
pub fn can_free(array: NdArray<'_, '_>) -> bool {
    // SAFETY: null, or a live object.
    unsafe { ffi::PyCapsule_IsValid(array.memory_handler, HANDLER.as_ptr()) != 0 }
}

fn fields(array: NdArray<'_, '_>) -> *mut Fields {
    super::fields(array.as_any().as_ptr())
}
