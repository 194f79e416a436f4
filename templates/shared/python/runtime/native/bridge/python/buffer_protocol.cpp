#include "buffer_protocol.hpp"

#include "read.hpp"

namespace python {

namespace {

void release_view(void *loan) {
  auto *view = static_cast<Py_buffer *>(loan);
  run(PyBuffer_Release, view); // does nothing to one that was never filled in
  delete view;
}

host::Array array_of(const Py_buffer &view) {
  const std::string format = view.format == nullptr ? "B" : view.format;
  const auto dtype = host::dtype_from_format(format, static_cast<std::size_t>(view.itemsize));
  if (!dtype) {
    throw host::UnsupportedDType("format " + quoted(format));
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

bool import_buffer(PyObject *object, Reading &reading) {
  if (PyObject_CheckBuffer(object) == 0) {
    return false;
  }
  auto *view = new Py_buffer();
  reading.loan = Loan(view, release_view);
  if (run(PyObject_GetBuffer, object, view, PyBUF_FULL_RO) < 0) {
    throw Raised();
  }
  reading.array = array_of(*view);
  return true;
}

void export_buffer(PyObject *owner, const Buffer &buffer, Py_buffer *view, int flags) noexcept {
  const auto asked = [flags](int flag) { return (flags & flag) == flag; };
  view->buf = reinterpret_cast<void *>(buffer.block()->address());
  view->obj = Object::borrow(owner).release();
  view->len = static_cast<Py_ssize_t>(buffer.bytes());
  view->itemsize = static_cast<Py_ssize_t>(host::size(buffer.dtype()));
  view->readonly = 0;
  view->ndim = static_cast<int>(buffer.shape().size());
  view->format = asked(PyBUF_FORMAT) ? const_cast<char *>(host::format(buffer.dtype())) : nullptr;
  // These live as long as the owner. The interpreter wants pointers to what it will not change.
  auto *shape = const_cast<std::size_t *>(buffer.shape().data());
  auto *strides = const_cast<std::ptrdiff_t *>(buffer.strides().data());
  view->shape = asked(PyBUF_ND) ? reinterpret_cast<Py_ssize_t *>(shape) : nullptr;
  view->strides = asked(PyBUF_STRIDES) ? strides : nullptr;
  view->suboffsets = nullptr;
  view->internal = nullptr;
}

} // namespace python
