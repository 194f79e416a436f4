#include "buffer_attributes.hpp"

#include <string>

#include "buffer.hpp"
#include "object.hpp"
#include "unlocked.hpp"

namespace python {

namespace {

Object integer(std::size_t value) { return checked(PyLong_FromSize_t(value)); }

Object string(const std::string &value) { return checked(PyUnicode_FromString(value.c_str())); }

Object shape(const Buffer &buffer) {
  Object tuple = checked(PyTuple_New(static_cast<Py_ssize_t>(buffer.shape().size())));
  Py_ssize_t axis = 0;
  for (const std::size_t extent : buffer.shape()) {
    PyTuple_SetItem(tuple.get(), axis++, integer(extent).release());
  }
  return tuple;
}

Object typestr(const Buffer &buffer) { return string(host::typestr(buffer.dtype())); }

Object nbytes(const Buffer &buffer) { return integer(buffer.bytes()); }

Object ptr(const Buffer &buffer) { return integer(buffer.block()->address()); }

Object memory(const Buffer &buffer) { return string(host::name(buffer.block()->kind())); }

Object device(const Buffer &buffer) {
  const auto gpu = buffer.block()->gpu();
  return gpu ? checked(PyLong_FromLong(*gpu)) : none();
}

Object interface_of(const Buffer &buffer) {
  host::Block &block = *buffer.block();
  if (!block.gpu()) {
    raise(PyExc_AttributeError,
          "no __cuda_array_interface__: the memory is the host's, there is no GPU");
  }
  unlocked([&] { block.synchronize(); });
  block.expose();
  const Object extents = shape(buffer);
  const Object type = typestr(buffer);
  const Object address = buffer.bytes() == 0 ? integer(0) : ptr(buffer);
  return checked(Py_BuildValue("{sOsOs(OO)sOsOsi}", "shape", extents.get(), "typestr", type.get(),
                               "data", address.get(), Py_False, "strides", Py_None, "stream",
                               Py_None, "version", 3));
}

/// A function of a buffer, as the table wants it.
template <Object (*function)(const Buffer &)>
PyObject *get(PyObject *self, void * /*closure*/) noexcept {
  return guarded([&] { return function(*as_buffer(self)); });
}

} // namespace

PyGetSetDef buffer_attributes[] = {
    {"shape", get<shape>, nullptr, "Extents, in elements.", nullptr},
    {"typestr", get<typestr>, nullptr, "Element type as in NumPy's array interface.", nullptr},
    {"nbytes", get<nbytes>, nullptr, "Size in bytes.", nullptr},
    {"ptr", get<ptr>, nullptr, "Address of the first byte.", nullptr},
    {"memory", get<memory>, nullptr, R"("managed" or "pinned", as asked for.)", nullptr},
    {"device", get<device>, nullptr, "Index of the GPU that addresses it, None without a GPU.",
     nullptr},
    {"__cuda_array_interface__", get<interface_of>, nullptr,
     "The interface of CUDA arrays, version 3. Reading it waits for asynchronous calls that use "
     "the memory.",
     nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

} // namespace python
