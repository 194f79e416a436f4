// The Python class `Buffer`.
#include "buffer.hpp"

#include <new>
#include <utility>

#include <host/interop.hpp>

#include "buffer_arguments.hpp"
#include "buffer_attributes.hpp"
#include "dlpack.hpp"
#include "object.hpp"
#include "read.hpp"
#include "unlocked.hpp"

namespace python {

namespace {

struct Instance {
  PyObject_HEAD Buffer buffer;
};

// One in a process, whose modules then know each other's arrays.
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

const Buffer &buffer_of(PyObject *self) { return reinterpret_cast<Instance *>(self)->buffer; }

PyObject *construct(PyTypeObject *cls, PyObject *positional, PyObject *named) {
  return guarded([&] {
    Construct given(positional, named);
    const std::size_t bytes = host::bytes_of(given.shape, given.dtype);
    auto block = unlocked([&] { // the first call starts CUDA
      return given.zero ? host::Block::zeroed(bytes, given.memory)
                        : host::Block::allocate(bytes, given.memory);
    });
    Buffer buffer(std::move(block), given.dtype, std::move(given.shape));
    Object self = checked(PyType_GenericAlloc(cls, 0));
    new (&reinterpret_cast<Instance *>(self.get())->buffer) Buffer(std::move(buffer));
    return self;
  });
}

void destroy(PyObject *self) {
  PyTypeObject *cls = Py_TYPE(self);
  reinterpret_cast<Instance *>(self)->buffer.~Buffer();
  PyObject_Free(self);
  Py_DECREF(cls);
}

Object wait(const Buffer &buffer) {
  unlocked([&] { buffer.block()->synchronize(); });
  return Object::borrow(Py_None);
}

PyObject *prefetch(PyObject *self, PyObject *positional, PyObject *named) {
  return guarded([&] {
    const Buffer &buffer = buffer_of(self);
    const Prefetch given(positional, named);
    if (given.offset > buffer.bytes() || given.bytes > buffer.bytes() - given.offset) {
      throw host::ValueError("the range to prefetch is not in the buffer");
    }
    unlocked(
        [&] { buffer.block()->prefetch(given.where, given.offset, given.bytes, given.stream); });
    return Object::borrow(Py_None);
  });
}

PyObject *dlpack(PyObject *self, PyObject *positional, PyObject *named) {
  return guarded([&] {
    ToDlpack given(positional, named);
    return export_dlpack(std::move(given.tensor), buffer_of(self).block(), given.versioned);
  });
}

int get_view(PyObject *self, Py_buffer *view, int flags) {
  const Buffer &buffer = buffer_of(self);
  const auto asked = [flags](int flag) { return (flags & flag) == flag; };
  view->buf = reinterpret_cast<void *>(buffer.block()->address());
  view->obj = Object::borrow(self).release();
  view->len = static_cast<Py_ssize_t>(buffer.bytes());
  view->itemsize = static_cast<Py_ssize_t>(host::size(buffer.dtype()));
  view->readonly = 0;
  view->ndim = static_cast<int>(buffer.shape().size());
  view->format = asked(PyBUF_FORMAT) ? const_cast<char *>(host::format(buffer.dtype())) : nullptr;
  // These live as long as the object, which the view owns a reference to. The interpreter wants
  // pointers to what it will not change.
  auto *shape = const_cast<std::size_t *>(buffer.shape().data());
  auto *strides = const_cast<std::ptrdiff_t *>(buffer.strides().data());
  view->shape = asked(PyBUF_ND) ? reinterpret_cast<Py_ssize_t *>(shape) : nullptr;
  view->strides = asked(PyBUF_STRIDES) ? strides : nullptr;
  view->suboffsets = nullptr;
  view->internal = nullptr;
  return 0;
}

/// A function of a buffer, in the forms that slots and tables want.
template <Object (*function)(const Buffer &)> PyObject *call(PyObject *self) noexcept {
  return guarded([&] { return function(buffer_of(self)); });
}
template <Object (*function)(const Buffer &)> PyObject *get(PyObject *self, void *) noexcept {
  return call<function>(self);
}
template <Object (*function)(const Buffer &)>
PyObject *method(PyObject *self, PyObject *) noexcept {
  return call<function>(self);
}

PyGetSetDef attributes[] = {
    {"shape", get<shape>, nullptr, "Extents, in elements.", nullptr},
    {"typestr", get<typestr>, nullptr, "Element type as in NumPy's array interface.", nullptr},
    {"nbytes", get<nbytes>, nullptr, "Size in bytes.", nullptr},
    {"ptr", get<ptr>, nullptr, "Address of the first byte.", nullptr},
    {"memory", get<memory>, nullptr, "\"managed\" or \"pinned\", as asked for.", nullptr},
    {"device", get<device>, nullptr, "Index of the GPU that addresses it, None without a GPU.",
     nullptr},
    {"__cuda_array_interface__", get<interface>, nullptr,
     "The interface of CUDA arrays, version 3. Reading it waits for asynchronous calls that use "
     "the memory.",
     nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

constexpr int NAMED = METH_VARARGS | METH_KEYWORDS;

PyMethodDef methods[] = {
    {"wait", method<wait>, METH_NOARGS,
     "wait($self)\n--\n\nWait for asynchronous calls that use the memory."},
    {"prefetch", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(prefetch)), NAMED,
     "prefetch($self, where, offset, nbytes, stream=None)\n--\n\n"
     "Move `nbytes` bytes from `offset` on to the \"device\" or the \"host\"."},
    {"dlpack", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(dlpack)), NAMED,
     "dlpack($self, address, shape, strides, typestr, readonly, device, versioned, copied)\n--\n\n"
     "A DLPack capsule of an array in this memory. It keeps the memory alive. Does not wait for "
     "asynchronous calls."},
    {nullptr, nullptr, 0, nullptr},
};

PyType_Slot slots[] = {
    {Py_tp_doc, const_cast<char *>(DOC)},
    {Py_tp_new, reinterpret_cast<void *>(construct)},
    {Py_tp_dealloc, reinterpret_cast<void *>(destroy)},
    {Py_tp_repr, reinterpret_cast<void *>(call<repr>)},
    {Py_tp_getset, attributes},
    {Py_tp_methods, methods},
    {Py_bf_getbuffer, reinterpret_cast<void *>(get_view)},
    {0, nullptr},
};

} // namespace

const Buffer *as_buffer(PyObject *object) {
  // The class has no subclasses.
  return Py_TYPE(object) == type ? &buffer_of(object) : nullptr;
}

void add_buffer(PyObject *module) {
  if (type == nullptr) {
    const Object package = checked(PyModule_GetNameObject(module));
    const std::string name = expect(to_string(package.get()), "") + ".Buffer";
    PyType_Spec spec{name.c_str(), sizeof(Instance), 0,
                     Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, slots};
    type = reinterpret_cast<PyTypeObject *>(checked(PyType_FromSpec(&spec)).release());
  }
  if (PyModule_AddObjectRef(module, "Buffer", reinterpret_cast<PyObject *>(type)) < 0) {
    throw Raised();
  }
}

} // namespace python
