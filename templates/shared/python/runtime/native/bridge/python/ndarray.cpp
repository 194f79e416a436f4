#include "ndarray.hpp"

#include "buffer.hpp"
#include "read.hpp"

#define NPY_NO_DEPRECATED_API NPY_1_25_API_VERSION
#define NPY_TARGET_VERSION NPY_1_25_API_VERSION // NumPy 1.26 has the same
#include <numpy/arrayobject.h>

namespace python {

namespace {

host::DType dtype_of(const PyArrayObject *array) {
  PyArray_Descr *descr = PyArray_DESCR(array);
  const auto dtype =
      host::dtype_from_kind(descr->kind, static_cast<std::size_t>(PyDataType_ELSIZE(descr)));
  if (!dtype || !PyArray_ISNBO(descr->byteorder)) {
    const Object name = checked(run(PyObject_Str, reinterpret_cast<PyObject *>(descr)));
    throw unsupported("dtype " + to_string(name.get()).value_or(""));
  }
  return *dtype;
}

/// The buffer of ours that the array is a view of, or null.
const Buffer *buffer_under(const PyArrayObject *array) {
  for (PyObject *base = PyArray_BASE(array); base != nullptr;
       base = PyArray_BASE(reinterpret_cast<PyArrayObject *>(base))) {
    if (const Buffer *buffer = as_buffer(base)) {
      return buffer;
    }
    if (!PyArray_Check(base)) {
      break;
    }
  }
  return nullptr;
}

void import_numpy() {
  if (PyArray_ImportNumPyAPI() < 0) { // does something the first time
    throw Raised();
  }
}

} // namespace

bool is_numpy_bool(PyObject *object) {
  import_numpy();
  return PyArray_IsScalar(object, Bool);
}

std::optional<host::Array> read_ndarray(PyObject *object) {
  import_numpy();
  if (!PyArray_Check(object)) {
    return std::nullopt;
  }
  const auto *array = reinterpret_cast<PyArrayObject *>(object);
  host::Array result;
  result.address = reinterpret_cast<std::uintptr_t>(PyArray_DATA(array));
  result.dtype = dtype_of(array);
  result.shape.assign(PyArray_DIMS(array), PyArray_DIMS(array) + PyArray_NDIM(array));
  result.contiguous = PyArray_IS_C_CONTIGUOUS(array);
  result.writable = PyArray_ISWRITEABLE(array);
  if (const Buffer *buffer = buffer_under(array)) {
    const auto &block = buffer->block();
    if (block->gpu() && block->contains(result.address, result.bytes())) {
      result.place = block;
    }
  }
  return result;
}

} // namespace python
