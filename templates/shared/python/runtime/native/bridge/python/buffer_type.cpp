// The Python class `Buffer`.
#include "buffer.hpp"

#include <new>
#include <string>
#include <utility>

#include "buffer_arguments.hpp"
#include "buffer_attributes.hpp"
#include "buffer_methods.hpp"
#include "buffer_protocol.hpp"
#include "module.hpp"
#include "object.hpp"
#include "read.hpp"
#include "unlocked.hpp"

namespace python {

namespace {

struct Instance {
  PyObject_HEAD Buffer buffer;
};

// One in a process, whose modules then know each other's arrays. It is never given back.
PyTypeObject *type = nullptr;

constexpr const char *DOC =
    R"(Buffer(shape, typestr, memory, zero)
--

A block of memory that the host and the GPU both address, as a C-contiguous array.

Parameters
----------
shape : tuple of int
typestr : str
    Element type as in NumPy's array interface, such as "<f4".
memory : {"managed", "pinned"}
zero : bool
    Fill with zeros; otherwise the contents are undefined.

Raises
------
TypeError
    An element type that is not supported.
ValueError
    A negative or overflowing shape, or another kind of memory.
MemoryError
    Not enough memory.)";

Buffer &buffer_of(PyObject *self) { return reinterpret_cast<Instance *>(self)->buffer; }

Object instance(PyTypeObject *cls, Buffer buffer) {
  Object self = checked(PyType_GenericAlloc(cls, 0));
  new (&buffer_of(self.get())) Buffer(std::move(buffer));
  return self;
}

PyObject *construct(PyTypeObject *cls, PyObject *positional, PyObject *named) noexcept {
  return guarded([&] {
    Construct given(positional, named);
    const std::size_t bytes = host::bytes_of(given.shape, given.dtype);
    auto block = unlocked([&] { // the first call starts CUDA
      return given.zero ? host::Block::zeroed(bytes, given.memory)
                        : host::Block::allocate(bytes, given.memory);
    });
    return instance(cls, Buffer(std::move(block), given.dtype, std::move(given.shape)));
  });
}

void destroy(PyObject *self) noexcept {
  PyTypeObject *cls = Py_TYPE(self);
  buffer_of(self).~Buffer();
  PyObject_Free(self);
  Py_DECREF(cls); // as for every class that is made at run time
}

PyObject *repr(PyObject *self) noexcept {
  return guarded([&] {
    const Buffer &buffer = buffer_of(self);
    return checked(PyUnicode_FromFormat(
        "Buffer(shape=%s, typestr='%s', memory='%s', ptr=%p)",
        host::to_string(buffer.shape()).c_str(), host::typestr(buffer.dtype()).c_str(),
        host::name(buffer.block()->kind()), reinterpret_cast<void *>(buffer.block()->address())));
  });
}

int get_buffer(PyObject *self, Py_buffer *view, int flags) noexcept {
  export_buffer(self, buffer_of(self), view, flags);
  return 0;
}

PyType_Slot slots[] = {
    {Py_tp_doc, const_cast<char *>(DOC)},
    {Py_tp_new, reinterpret_cast<void *>(construct)},
    {Py_tp_dealloc, reinterpret_cast<void *>(destroy)},
    {Py_tp_repr, reinterpret_cast<void *>(repr)},
    {Py_tp_getset, buffer_attributes},
    {Py_tp_methods, buffer_methods},
    {Py_bf_getbuffer, reinterpret_cast<void *>(get_buffer)},
    {0, nullptr},
};

PyTypeObject *make_type(PyObject *module) {
  const Object owner = checked(PyModule_GetNameObject(module));
  const std::string name = to_string(owner.get()).value_or("") + ".Buffer";
  PyType_Spec spec{name.c_str(), sizeof(Instance), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
                   slots};
  Object made = checked(PyType_FromModuleAndSpec(module, &spec, nullptr));
  return reinterpret_cast<PyTypeObject *>(made.release());
}

} // namespace

const Buffer *as_buffer(PyObject *object) {
  return Py_TYPE(object) == type ? &buffer_of(object) : nullptr; // it has no subclasses
}

Object make_buffer(std::shared_ptr<host::Block> block, host::DType dtype, host::Shape shape) {
  return instance(type, Buffer(std::move(block), dtype, std::move(shape)));
}

/// The class is made once in a process: a module that is loaded again gets the same one, so that
/// arrays from before are still known.
void add_buffer(PyObject *module) {
  if (type == nullptr) {
    type = make_type(module);
  }
  if (PyModule_AddObjectRef(module, "Buffer", reinterpret_cast<PyObject *>(type)) < 0) {
    throw Raised();
  }
}

} // namespace python
