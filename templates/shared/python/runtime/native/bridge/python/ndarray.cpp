#include "ndarray.hpp"

#include <utility>

#include <host/error.hpp>

#include "buffer.hpp"
#include "read.hpp"

#define NPY_NO_DEPRECATED_API NPY_1_25_API_VERSION
#define NPY_TARGET_VERSION NPY_1_25_API_VERSION // NumPy 1.26 has the same
#include <numpy/arrayobject.h>

namespace python {

namespace {

std::optional<host::DType> dtype_of(const PyArray_Descr *descr) {
  return PyArray_ISNBO(descr->byteorder)
             ? host::dtype_from_kind(descr->kind,
                                     static_cast<std::size_t>(PyDataType_ELSIZE(descr)))
             : std::nullopt;
}

host::DType dtype_of(const PyArrayObject *array) {
  PyArray_Descr *descr = PyArray_DESCR(array);
  const auto dtype = dtype_of(descr);
  if (!dtype) {
    const Object name = checked(run(PyObject_Str, reinterpret_cast<PyObject *>(descr)));
    throw host::UnsupportedDType("dtype " + to_string(name.get()).value_or(""));
  }
  return *dtype;
}

PyObject *plain = nullptr; // a subclass of NumPy's array that is not masked: mostly `CuVec`

/// Whether an object is of NumPy's class or of that one. To ask about any other takes longer.
bool is_plain(PyObject *object) { return PyArray_CheckExact(object) || class_of(object) == plain; }

/// The object whose memory an array has, through all arrays that it is a view of.
PyObject *owner_of(PyObject *array) {
  PyObject *owner = array;
  do {
    array = owner;
    owner = PyArray_BASE(reinterpret_cast<PyArrayObject *>(array));
  } while (owner != nullptr && as_buffer(owner) == nullptr && PyArray_Check(owner));
  return owner == nullptr ? array : owner;
}

/// Keeps NumPy from resizing an array: it does not while there are weak references to it. The
/// exporter of another argument could, or another thread. Other owners of memory lock it
/// themselves.
Loan hold(PyObject *owner) {
  return {checked(PyWeakref_NewRef(owner, nullptr)).release(),
          [](void *reference) { run(Py_DecRef, static_cast<PyObject *>(reference)); }};
}

/// Keeps the memory of a buffer alive, should the array get another one meanwhile. The GIL guards
/// this share: one of the block would be counted by atomic operations, which take longer.
Loan share(PyObject *buffer) {
  return {Object::borrow(buffer).release(),
          [](void *owner) { run(Py_DecRef, static_cast<PyObject *>(owner)); }};
}

/// Refuses masked arrays, whose masks say which elements are none.
void refuse_masked(PyObject *array) {
  static PyObject *const name = interned("numpy.ma");
  const Object module = Object::steal(PyImport_GetModule(name)); // there are none before
  const Object masked = module ? attribute(module.get(), "MaskedArray") : Object();
  const int is_one = masked ? run(PyObject_IsInstance, array, masked.get()) : 0;
  if (is_one < 0) {
    throw Raised();
  }
  if (is_one != 0) {
    throw host::ValueError("masked arrays are not supported; pass what .filled(...) of it returns");
  }
  PyObject *cls = class_of(array);
  Py_INCREF(cls); // so that no other class is ever at this address
  Py_XDECREF(plain);
  plain = cls;
}

/// Whether the memory of an array is another package's, which says more about it than NumPy: where
/// it is, and which work to wait for.
bool is_of_another_package(PyObject *array, PyObject *owner) {
  const bool may_be = !PyArray_CheckExact(array) && !PyArray_Check(owner);
  return may_be && attribute(array, "__cuda_array_interface__");
}

} // namespace

void import_numpy() {
  if (PyArray_ImportNumPyAPI() < 0) { // does something the first time
    throw Raised();
  }
}

bool is_numpy_bool(PyObject *object) { return PyArray_IsScalar(object, Bool); }

std::optional<host::DType> dtype_of_numpys(PyObject *object) {
  return PyArray_DescrCheck(object) ? dtype_of(reinterpret_cast<PyArray_Descr *>(object))
                                    : std::nullopt;
}

bool read_ndarray(PyObject *object, Reading &reading) {
  const bool known = is_plain(object);
  if (!known && !PyArray_Check(object)) {
    return false;
  }
  if (!known) {
    refuse_masked(object);
  }
  PyObject *owner = owner_of(object);
  const Buffer *buffer = as_buffer(owner);
  if (buffer == nullptr && is_of_another_package(object, owner)) {
    return false;
  }
  if (buffer == nullptr && PyArray_Check(owner)) {
    // before it is read: this may collect garbage, which may run any code
    reading.loan = hold(owner);
  }
  const auto *array = reinterpret_cast<PyArrayObject *>(object);
  host::Array &result = reading.array;
  result.address = reinterpret_cast<std::uintptr_t>(PyArray_DATA(array));
  result.dtype = dtype_of(array);
  result.shape.assign(PyArray_DIMS(array), PyArray_DIMS(array) + PyArray_NDIM(array));
  result.contiguous = PyArray_IS_C_CONTIGUOUS(array);
  result.writable = PyArray_ISWRITEABLE(array);
  if (buffer != nullptr) {
    const auto &block = buffer->block();
    if (block->gpu() && block->contains(result.address, result.bytes())) {
      result.place = host::InBlock(host::InBlock(), block.get());
      reading.loan = share(owner);
    }
  }
  return true;
}

} // namespace python
