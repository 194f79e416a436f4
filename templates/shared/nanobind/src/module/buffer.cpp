#include "buffer.hpp"

#include <utility>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "../python/unlocked.hpp"
#include "dlpack.hpp"
#include "module.hpp"
#include "python.hpp"
#include "stream.hpp"

using namespace nb::literals;

namespace {

// The class. It is made once in a process: a module that is imported again gets the same one, so
// that arrays from before are still known. It is never given back.
PyTypeObject *buffer_type = nullptr;

constexpr const char *BUFFER =
    R"(A block of memory that the host and the GPU both address, as a C-contiguous array.

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

/// One extent of a shape.
std::size_t extent(nb::handle n) {
  const Py_ssize_t extent = PyNumber_AsSsize_t(n.ptr(), PyExc_OverflowError);
  if (extent >= 0) {
    return static_cast<std::size_t>(extent);
  }
  const bool too_large =
      PyErr_Occurred() != nullptr && PyErr_ExceptionMatches(PyExc_OverflowError) != 0;
  if (PyErr_Occurred() != nullptr && !too_large) {
    nb::raise_python_error();
  }
  PyErr_Clear();
  const std::string number = nb::str(n).c_str();
  const char *what = too_large ? " is larger than the address space" : " is negative";
  throw nb::value_error(("an extent of " + number + what).c_str());
}

std::shared_ptr<host::Block> allocate(std::size_t bytes, host::MemoryKind kind, bool zero) {
  const python::Unlocked unlocked;
  return zero ? host::Block::zeroed(bytes, kind) : host::Block::allocate(bytes, kind);
}

void construct(Buffer *self, const nb::tuple &extents, const std::string &typestr,
               std::string_view memory, bool zero) {
  const host::DType dtype = dtype_of_typestr(typestr);
  host::Shape shape;
  shape.reserve(extents.size());
  for (const nb::handle n : extents) {
    shape.push_back(extent(n));
  }
  const host::MemoryKind kind = host::memory_kind(memory);
  auto block = allocate(host::bytes_of(shape, dtype), kind, zero);
  new (self) Buffer(std::move(block), dtype, std::move(shape));
}

nb::tuple shape_of(const Buffer &buffer) {
  nb::list shape;
  for (const std::size_t extent : buffer.shape()) {
    shape.append(extent);
  }
  return nb::tuple(shape);
}

nb::dict cuda_array_interface(const Buffer &buffer) {
  host::Block &block = *buffer.block();
  if (!block.gpu()) {
    throw nb::attribute_error(
        "no __cuda_array_interface__: the memory is the host's, there is no GPU");
  }
  {
    const python::Unlocked unlocked;
    block.synchronize();
  }
  block.expose();
  nb::dict interface;
  interface["shape"] = shape_of(buffer);
  interface["typestr"] = host::typestr(buffer.dtype());
  interface["data"] = nb::make_tuple(buffer.bytes() == 0 ? 0 : block.address(), false);
  interface["strides"] = nb::none();
  interface["stream"] = nb::none();
  interface["version"] = 3;
  return interface;
}

void prefetch(const Buffer &buffer, std::string_view where, std::size_t offset, std::size_t nbytes,
              std::optional<host::Stream> stream) {
  const host::Side side = host::side(where);
  if (offset > buffer.bytes() || nbytes > buffer.bytes() - offset) {
    throw nb::value_error("the range to prefetch is not in the buffer");
  }
  buffer.block()->prefetch(side, offset, nbytes, stream);
}

nb::object to_dlpack(const Buffer &buffer, std::uintptr_t address, std::vector<std::int64_t> shape,
                     std::vector<std::int64_t> strides, const std::string &typestr, bool readonly,
                     std::pair<std::int32_t, std::int32_t> device, bool versioned, bool copied) {
  host::dlpack::Export tensor{address,
                              std::move(shape),
                              std::move(strides),
                              dtype_of_typestr(typestr),
                              readonly,
                              {device.first, device.second},
                              copied};
  return export_dlpack(std::move(tensor), buffer.block(), versioned);
}

std::string repr(const Buffer &buffer) {
  char address[2 + 16 + 1];
  PyOS_snprintf(address, sizeof(address), "0x%zx", buffer.block()->address());
  return "Buffer(shape=" + host::to_string(buffer.shape()) + ", typestr='" +
         host::typestr(buffer.dtype()) + "', memory='" + host::name(buffer.block()->kind()) +
         "', ptr=" + address + ")";
}

int get_buffer(PyObject *self, Py_buffer *view, int flags) {
  const Buffer *found = Buffer::find(self);
  if (found == nullptr) {
    view->obj = nullptr;
    PyErr_SetString(PyExc_BufferError, "the buffer was not initialized");
    return -1;
  }
  const Buffer &buffer = *found;
  const auto asked = [flags](int flag) { return (flags & flag) == flag; };
  view->buf = reinterpret_cast<void *>(buffer.block()->address());
  view->len = static_cast<Py_ssize_t>(buffer.bytes());
  view->readonly = 0;
  view->itemsize = static_cast<Py_ssize_t>(host::size(buffer.dtype()));
  view->format = asked(PyBUF_FORMAT) ? const_cast<char *>(host::format(buffer.dtype())) : nullptr;
  view->ndim = static_cast<int>(buffer.shape().size());
  // These live as long as the object, which the view owns a reference to. The interpreter wants
  // pointers to what it will not change.
  auto *shape = const_cast<std::size_t *>(buffer.shape().data());
  auto *strides = const_cast<std::ptrdiff_t *>(buffer.strides().data());
  view->shape = asked(PyBUF_ND) ? reinterpret_cast<Py_ssize_t *>(shape) : nullptr;
  view->strides = asked(PyBUF_STRIDES) ? strides : nullptr;
  view->suboffsets = nullptr;
  view->internal = nullptr;
  view->obj = nb::borrow(self).release().ptr();
  return 0;
}

PyType_Slot slots[] = {{Py_bf_getbuffer, reinterpret_cast<void *>(get_buffer)}, {0, nullptr}};

} // namespace

Buffer::Buffer(std::shared_ptr<host::Block> block, host::DType dtype, host::Shape shape)
    : block_(std::move(block)), dtype_(dtype), shape_(std::move(shape)),
      strides_(host::strides_of(shape_, dtype)), bytes_(host::bytes_of(shape_, dtype)) {}

const Buffer *Buffer::find(nb::handle object) {
  // The class has no subclasses, but `__new__` alone makes an object without a buffer.
  const bool is_one = Py_TYPE(object.ptr()) == buffer_type && nb::inst_ready(object);
  return is_one ? nb::inst_ptr<Buffer>(object) : nullptr;
}

host::Array Buffer::array() const {
  host::Array array;
  array.address = block_->address();
  array.dtype = dtype_;
  array.shape = shape_;
  if (block_->gpu()) {
    array.place = block_;
  }
  return array;
}

void add_buffer(nb::module_ &module) {
  if (buffer_type != nullptr) {
    module.attr("Buffer") = nb::handle(reinterpret_cast<PyObject *>(buffer_type));
    return;
  }
  using Unlocked = nb::call_guard<python::Unlocked>;
  const auto block = [](auto get) {
    return [get](const Buffer &buffer) { return get(*buffer.block()); };
  };
  auto type =
      nb::class_<Buffer>(module, "Buffer", nb::is_final(), nb::type_slots(slots), BUFFER)
          .def("__init__", &construct, "shape"_a, "typestr"_a, "memory"_a, "zero"_a)
          .def_prop_ro("shape", &shape_of, "Extents, in elements.")
          .def_prop_ro(
              "typestr", [](const Buffer &buffer) { return host::typestr(buffer.dtype()); },
              "Element type as in NumPy's array interface.")
          .def_prop_ro("nbytes", &Buffer::bytes, "Size in bytes.")
          .def_prop_ro("ptr", block([](const host::Block &it) { return it.address(); }),
                       "Address of the first byte.")
          .def_prop_ro("memory", block([](const host::Block &it) { return host::name(it.kind()); }),
                       "\"managed\" or \"pinned\", as asked for.")
          .def_prop_ro("device", block([](const host::Block &it) { return it.gpu(); }),
                       "Index of the GPU that addresses it, None without a GPU.")
          .def_prop_ro("__cuda_array_interface__", &cuda_array_interface,
                       "The interface of CUDA arrays, version 3. Reading it waits for asynchronous "
                       "calls that use the memory.")
          .def("wait", block([](host::Block &it) { it.synchronize(); }), Unlocked(),
               "Wait for asynchronous calls that use the memory.")
          .def("prefetch", &prefetch, "where"_a, "offset"_a, "nbytes"_a,
               "stream"_a.none() = nb::none(), Unlocked(),
               "Move `nbytes` bytes from `offset` on to the \"device\" or the \"host\".")
          .def("dlpack", &to_dlpack, "address"_a, "shape"_a, "strides"_a, "typestr"_a, "readonly"_a,
               "device"_a, "versioned"_a, "copied"_a,
               "A DLPack capsule of an array in this memory. It keeps the memory alive. Does not "
               "wait for asynchronous calls.")
          .def("__repr__", &repr);
  buffer_type = reinterpret_cast<PyTypeObject *>(type.release().ptr());
}
