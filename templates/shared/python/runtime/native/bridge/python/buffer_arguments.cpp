#include "buffer_arguments.hpp"

#include "read.hpp"
#include "stream.hpp"

namespace python {

namespace {

/// A converter for `O&`: stores what `read` makes of an object at `value`.
template <typename T, T (*read)(PyObject *)> int convert(PyObject *object, void *value) noexcept {
  try {
    *static_cast<T *>(value) = read(object);
    return 1;
  } catch (...) {
    set_error();
    return 0;
  }
}

/// Fills in what `format` says, by name or position. Throws the error that the caller is to get.
template <std::size_t N, typename... Values>
void parse(PyObject *positional, PyObject *named, const char *format, const char *const (&names)[N],
           Values... values) {
  if (PyArg_ParseTupleAndKeywords(positional, named, format, const_cast<char **>(names),
                                  values...) == 0) {
    throw Raised();
  }
}

/// One extent of a shape.
std::size_t extent(PyObject *n) {
  const Py_ssize_t extent = run(PyNumber_AsSsize_t, n, PyExc_OverflowError);
  if (extent >= 0) {
    return static_cast<std::size_t>(extent);
  }
  const bool too_large = PyErr_Occurred() != nullptr;
  if (too_large) {
    forget(PyExc_OverflowError);
  }
  const Object number = checked(run(PyObject_Str, n));
  throw host::ValueError("an extent of " + to_string(number.get()).value_or("") +
                         (too_large ? " is larger than the address space" : " is negative"));
}

host::Shape shape(PyObject *object) {
  const Object extents = to_tuple(object);
  if (!extents) {
    throw host::TypeError("shape must be a sequence of integers, not " + class_name(object));
  }
  host::Shape shape;
  const Py_ssize_t rank = PyTuple_Size(extents.get());
  for (Py_ssize_t axis = 0; axis < rank; ++axis) {
    shape.push_back(extent(PyTuple_GetItem(extents.get(), axis)));
  }
  return shape;
}

std::string text(PyObject *object) { return expect(to_string(object), "expected a string"); }

host::DType dtype(PyObject *object) { return dtype_of_typestr(text(object)); }

host::MemoryKind memory(PyObject *object) { return host::memory_kind(text(object)); }

host::Side side(PyObject *object) { return host::side(text(object)); }

std::size_t size(PyObject *object) {
  return expect(to_integer<std::size_t>(object), "expected an integer that is not negative");
}

std::vector<std::int64_t> integers(PyObject *object) {
  return expect(to_integers<std::int64_t>(object), "expected a sequence of integers");
}

host::dlpack::Device device(PyObject *object) {
  const auto numbers = to_integers<std::int32_t>(object);
  if (!numbers || numbers->size() != 2) {
    throw host::TypeError("expected the type and the index of a device");
  }
  return {(*numbers)[0], (*numbers)[1]};
}

} // namespace

Construct::Construct(PyObject *positional, PyObject *named) {
  static constexpr const char *NAMES[] = {"shape", "typestr", "memory", "zero", nullptr};
  int fill = 0;
  parse(positional, named, "O&O&O&p:Buffer", NAMES, convert<host::Shape, python::shape>, &shape,
        convert<host::DType, python::dtype>, &dtype, convert<host::MemoryKind, python::memory>,
        &memory, &fill);
  zero = fill != 0;
}

Prefetch::Prefetch(PyObject *positional, PyObject *named) {
  static constexpr const char *NAMES[] = {"where", "offset", "nbytes", "stream", nullptr};
  parse(positional, named, "O&O&O&|O&:prefetch", NAMES, convert<host::Side, side>, &where,
        convert<std::size_t, size>, &offset, convert<std::size_t, size>, &bytes,
        convert<std::optional<host::Stream>, stream_if_any>, &stream);
}

ToDlpack::ToDlpack(PyObject *positional, PyObject *named) {
  static constexpr const char *NAMES[] = {"address", "shape",     "strides", "typestr", "readonly",
                                          "device",  "versioned", "copied",  nullptr};
  using Integers = std::vector<std::int64_t>;
  int read_only = 0;
  int versions = 0;
  int copied = 0;
  parse(positional, named, "O&O&O&O&pO&pp:dlpack", NAMES, convert<std::size_t, size>,
        &tensor.address, convert<Integers, integers>, &tensor.shape, convert<Integers, integers>,
        &tensor.strides, convert<host::DType, dtype>, &tensor.dtype, &read_only,
        convert<host::dlpack::Device, device>, &tensor.device, &versions, &copied);
  tensor.read_only = read_only != 0;
  tensor.copied = copied != 0;
  versioned = versions != 0;
}

} // namespace python
