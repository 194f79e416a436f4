#include "cupy_array.hpp"

#include <atomic>

#include "getter.hpp"
#include "ndarray.hpp"
#include "read.hpp"

namespace python::cupy {

namespace {

/// The fields of an array, and of the `data` that it has.
struct Fields {
  Getter data, dtype, shape, contiguous;
  PyObject *class_of_data;
  Getter address, gpu;
};

std::atomic<const Fields *> fields{nullptr}; // null where one is not defined in C; for good

bool read_shape(PyObject *tuple, host::Shape &shape) {
  if (PyTuple_Check(tuple) == 0) {
    return false;
  }
  const Py_ssize_t rank = PyTuple_Size(tuple);
  for (Py_ssize_t axis = 0; axis < rank; ++axis) {
    const auto extent = to_integer<std::size_t>(PyTuple_GetItem(tuple, axis));
    if (!extent || *extent == 0) {
      return false;
    }
    shape.push_back(*extent);
  }
  return true;
}

} // namespace

void look(PyObject *array) {
  PyObject *cls = class_of(array);
  const Getter data(cls, "data");
  const Getter dtype(cls, "dtype");
  const Getter shape(cls, "shape");
  const Getter contiguous(cls, "_c_contiguous");
  if (!data || !dtype || !shape || !contiguous) {
    return;
  }
  PyObject *class_of_data = class_of(data.of(array).get());
  const Getter address(class_of_data, "ptr");
  const Getter gpu(class_of_data, "device_id");
  if (address && gpu) {
    Py_INCREF(class_of_data); // so that no other one gets its address
    fields = new Fields{data, dtype, shape, contiguous, class_of_data, address, gpu};
  }
}

std::optional<int> read(PyObject *array, host::Array &result) {
  const Fields *field = fields;
  const Object data = field == nullptr ? Object() : field->data.of(array);
  if (!data || class_of(data.get()) != field->class_of_data) {
    return {};
  }
  const auto dtype = dtype_of_numpys(field->dtype.of(array).get());
  const auto address = to_integer<std::uintptr_t>(field->address.of(data.get()).get());
  const auto gpu = to_integer<int>(field->gpu.of(data.get()).get());
  host::Shape shape;
  if (!dtype || !address || *address == 0 || !gpu ||
      !read_shape(field->shape.of(array).get(), shape)) {
    return {};
  }
  result.address = *address;
  result.dtype = *dtype;
  result.shape = shape;
  result.contiguous = field->contiguous.of(array).get() == Py_True;
  static_cast<void>(host::bytes_of(shape, *dtype)); // throws when they are too many
  return gpu;
}

} // namespace python::cupy
