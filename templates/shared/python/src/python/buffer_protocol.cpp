#include "buffer_protocol.hpp"

#include "read.hpp"

namespace python {

namespace {

void give_back(void *loan) {
  auto *view = static_cast<Py_buffer *>(loan);
  PyBuffer_Release(view); // does nothing to one that was never filled in
  delete view;
}

host::Array array_of(const Py_buffer &view) {
  const std::string format = view.format == nullptr ? "B" : view.format;
  const auto dtype = host::dtype_from_format(format, static_cast<std::size_t>(view.itemsize));
  if (!dtype) {
    throw unsupported("format " + quoted(format));
  }
  host::Array array;
  array.address = reinterpret_cast<std::uintptr_t>(view.buf);
  array.dtype = *dtype;
  array.shape.assign(view.shape, view.shape + view.ndim);
  array.contiguous = PyBuffer_IsContiguous(&view, 'C') != 0;
  array.writable = view.readonly == 0;
  return array;
}

} // namespace

std::optional<Argument> import_buffer(PyObject *object) {
  if (PyObject_CheckBuffer(object) == 0) {
    return std::nullopt;
  }
  auto *view = new Py_buffer();
  Loan loan(view, give_back);
  if (PyObject_GetBuffer(object, view, PyBUF_FULL_RO) < 0) {
    throw Raised();
  }
  return Argument(array_of(*view), std::move(loan));
}

} // namespace python
