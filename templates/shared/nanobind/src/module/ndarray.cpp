#include "ndarray.hpp"

#include <utility>

#include "buffer.hpp"
#include "module.hpp"
#include "python.hpp"

#define NPY_NO_DEPRECATED_API NPY_1_25_API_VERSION
#define NPY_TARGET_VERSION NPY_1_25_API_VERSION // NumPy 1.26 has the same
#include <numpy/arrayobject.h>

namespace {

host::DType dtype_of(PyArrayObject *array) {
  PyArray_Descr *descr = PyArray_DESCR(array);
  const auto dtype =
      host::dtype_from_kind(descr->kind, static_cast<std::size_t>(PyDataType_ELSIZE(descr)));
  if (!dtype || !PyArray_ISNBO(descr->byteorder)) {
    const nb::str name(nb::handle(reinterpret_cast<PyObject *>(descr)));
    throw unsupported(std::string("dtype ") + name.c_str());
  }
  return *dtype;
}

/// The object whose memory an array has, through all arrays that it is a view of.
PyObject *owner_of(PyObject *array) {
  while (PyArray_Check(array)) {
    PyObject *base = PyArray_BASE(reinterpret_cast<PyArrayObject *>(array));
    if (base == nullptr) {
      break;
    }
    array = base;
  }
  return array;
}

/// Keeps NumPy from resizing an array: it does not while there are weak references to it. The
/// exporter of another argument could, or another thread. Other owners of memory lock it
/// themselves.
Loan hold(PyObject *owner) {
  if (!PyArray_Check(owner)) {
    return no_loan();
  }
  PyObject *reference = PyWeakref_NewRef(owner, nullptr);
  if (reference == nullptr) {
    nb::raise_python_error();
  }
  return {reference, [](void *held) { Py_DECREF(static_cast<PyObject *>(held)); }};
}

/// Refuses masked arrays, whose masks say which elements are none.
void refuse_masked(nb::handle array) {
  if (PyArray_CheckExact(array.ptr())) {
    return;
  }
  static PyObject *const name = interned("numpy.ma");
  const nb::object module = nb::steal(PyImport_GetModule(name)); // there are none before
  const nb::object masked = module.is_valid() ? attribute(module, "MaskedArray") : nb::object();
  const int is_one = masked.is_valid() ? PyObject_IsInstance(array.ptr(), masked.ptr()) : 0;
  if (is_one < 0) {
    nb::raise_python_error();
  }
  if (is_one != 0) {
    throw nb::value_error("masked arrays are not supported; pass what .filled(...) of it returns");
  }
}

} // namespace

void import_numpy() {
  if (PyArray_ImportNumPyAPI() < 0) {
    nb::raise_python_error();
  }
}

std::optional<Argument> read_ndarray(nb::handle object) {
  if (!PyArray_Check(object.ptr())) {
    return std::nullopt;
  }
  PyObject *owner = owner_of(object.ptr());
  const Buffer *buffer = Buffer::find(owner);
  refuse_masked(object);
  Loan held = hold(owner); // before it is read: this may collect garbage, which may run any code
  auto *array = reinterpret_cast<PyArrayObject *>(object.ptr());
  host::Array result;
  result.address = reinterpret_cast<std::uintptr_t>(PyArray_DATA(array));
  result.dtype = dtype_of(array);
  result.shape.assign(PyArray_DIMS(array), PyArray_DIMS(array) + PyArray_NDIM(array));
  result.contiguous = PyArray_IS_C_CONTIGUOUS(array);
  result.writable = PyArray_ISWRITEABLE(array);
  if (buffer != nullptr) {
    const auto &block = buffer->block();
    if (block->gpu() && block->contains(result.address, result.bytes())) {
      result.place = block;
    }
  }
  return Argument{std::move(result), std::move(held)};
}
