#include "buffer_protocol.hpp"

#include "python.hpp"

namespace {

void give_back(void *loan) {
  auto *view = static_cast<Py_buffer *>(loan);
  PyBuffer_Release(view); // does nothing to one that was never filled in
  delete view;
}

} // namespace

std::optional<Argument> read_buffer_protocol(nb::handle object) {
  if (PyObject_CheckBuffer(object.ptr()) == 0) {
    return std::nullopt;
  }
  auto *view = new Py_buffer();
  Argument argument{{}, Loan(view, give_back)};
  if (PyObject_GetBuffer(object.ptr(), view, PyBUF_FULL_RO) < 0) {
    nb::raise_python_error();
  }
  const std::string format = view->format == nullptr ? "B" : view->format;
  const auto dtype = host::dtype_from_format(format, static_cast<std::size_t>(view->itemsize));
  if (!dtype) {
    throw unsupported("format " + quoted(format));
  }
  argument.array.address = reinterpret_cast<std::uintptr_t>(view->buf);
  argument.array.dtype = *dtype;
  argument.array.shape.assign(view->shape, view->shape + view->ndim);
  argument.array.contiguous = PyBuffer_IsContiguous(view, 'C') != 0;
  argument.array.writable = view->readonly == 0;
  return argument;
}
