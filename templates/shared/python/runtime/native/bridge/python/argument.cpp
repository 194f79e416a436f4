#include "argument.hpp"

#include <string>
#include <utility>

#include "apart.hpp"
#include "buffer.hpp"
#include "buffer_protocol.hpp"
#include "cuda_array_interface.hpp"
#include "cupy.hpp"
#include "dlpack.hpp"
#include "exchange.hpp"
#include "ndarray.hpp"
#include "read.hpp"

namespace dlpack = host::dlpack;

namespace python {

namespace {

/// Tries the other interfaces from the cheapest to the dearest; DLPack before
/// `__cuda_array_interface__`, because it also orders streams and owns its memory.
PYTHON_APART void find(PyObject *object, const char *name, Asked &asked, Reading &reading) {
  if (import_cupys_again(object, asked, reading) || read_ndarray(object, reading)) {
    return;
  }
  if (const Buffer *buffer = as_buffer(object)) {
    reading.array = buffer->array();
    return;
  }
  if (import_dlpack(object, asked, reading)) {
    return;
  }
  if (const Object interface = cuda_array_interface(object)) {
    reading.array = read_cuda_array_interface(interface.get());
    return;
  }
  if (import_buffer(object, reading)) {
    return;
  }
  const std::string it = name;
  throw host::TypeError(it + " must be an array, not " + class_name(object) +
                        "; pass numpy.asarray(" + it + ") or cuvec.asarray(" + it + ")");
}

void read(PyObject *object, const char *name, Asked &asked, Reading &reading) {
  try {
    if (!import_exchange_again(object, asked, reading)) { // the cheapest one
      find(object, name, asked, reading);
    }
  } catch (const host::UnsupportedDType &error) {
    throw error.named(name);
  }
}

bool is_same(dlpack::Device one, dlpack::Device other) {
  return one.type == other.type && one.index == other.index;
}

} // namespace

host::Stream Asked::cupys_stream(dlpack::Device device) {
  const bool known = has_cupys_ && is_same(cupys_device_, device);
  if (!known) {
    static_cast<void>(dlpack::is_for_gpu(device)); // or it throws
    cupys_ = cupy::current_stream();
    cupys_device_ = device;
    has_cupys_ = true;
  }
  return cupys_;
}

host::Stream Asked::work_stream(const dlpack::Exchange &exchange, dlpack::Device device) {
  const bool known = exchange_ == &exchange && is_same(device_, device);
  if (!known) {
    work_ = python::work_stream(exchange, device);
    device_ = device;
    exchange_ = &exchange;
  }
  return work_;
}

Argument::Argument(PyObject *object, const char *name, Asked &asked) {
  read(object, name, asked, reading_);
}

Argument::Argument(PyObject *object, const char *name)
    : Argument(object, name, std::optional<Asked>().emplace()) {}

Argument::Argument(host::Array &&array, Loan &&loan)
    : reading_{std::move(array), std::move(loan)} {}

void Argument::own(PyObject *object, Asked &asked) {
  if (reading_.borrowed && !import_cupys_to_own(object, asked, reading_)) {
    import_exchange_to_own(object, asked, reading_);
  }
}

} // namespace python
