#include "argument.hpp"

#include <utility>

#include "buffer.hpp"
#include "buffer_protocol.hpp"
#include "cuda_array_interface.hpp"
#include "cupy.hpp"
#include "dlpack.hpp"
#include "ndarray.hpp"
#include "read.hpp"

namespace python {

namespace {

/// Tries the interfaces from the cheapest to the dearest; DLPack before
/// `__cuda_array_interface__`, because it also orders streams and owns its memory.
Argument read(PyObject *object, Asked &asked) {
  if (auto argument = read_ndarray(object)) {
    return std::move(*argument);
  }
  if (const Buffer *buffer = as_buffer(object)) {
    return {buffer->array(), no_loan()};
  }
  if (auto argument = import_dlpack(object, asked)) {
    return std::move(*argument);
  }
  if (const Object interface = cuda_array_interface(object)) {
    return {read_cuda_array_interface(interface.get()), no_loan()};
  }
  if (auto argument = import_buffer(object)) {
    return std::move(*argument);
  }
  throw host::TypeError("expected an array, not " + class_name(object) +
                        "; pass numpy.asarray(...) or cuvec.asarray(...) of it");
}

Argument read(PyObject *object, const char *name, Asked &asked) {
  try {
    return read(object, asked);
  } catch (const host::UnsupportedDType &error) {
    throw error.named(name);
  }
}

} // namespace

host::Stream Asked::cupys_stream() {
  if (!cupys_) {
    cupys_ = cupy::current_stream();
  }
  return *cupys_;
}

Argument::Argument(PyObject *object, const char *name, Asked &asked)
    : Argument(read(object, name, asked)) {}

Argument::Argument(PyObject *object, const char *name)
    : Argument(object, name, std::optional<Asked>().emplace()) {}

Argument::Argument(host::Array &&array, Loan &&loan)
    : array_(std::move(array)), loan_(std::move(loan)) {}

} // namespace python
