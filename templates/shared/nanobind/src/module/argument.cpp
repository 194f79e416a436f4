#include "argument.hpp"

#include "buffer.hpp"
#include "buffer_protocol.hpp"
#include "cuda_array_interface.hpp"
#include "dlpack.hpp"
#include "ndarray.hpp"
#include "python.hpp"

/// Tries the interfaces from the cheapest to the dearest; DLPack before
/// `__cuda_array_interface__`, because it also orders streams and owns its memory.
Argument read_argument(nb::handle object) {
  if (auto argument = read_ndarray(object)) {
    return std::move(*argument);
  }
  if (const Buffer *buffer = Buffer::find(object)) {
    return {buffer->array()};
  }
  if (auto argument = import_dlpack(object)) {
    return std::move(*argument);
  }
  if (const nb::object interface = find_cuda_array_interface(object); interface.is_valid()) {
    return {read_cuda_array_interface(interface)};
  }
  if (auto argument = read_buffer_protocol(object)) {
    return std::move(*argument);
  }
  throw nb::type_error(("expected an array, not " + class_name(object) +
                        "; pass numpy.asarray(...) or cuvec.asarray(...) of it")
                           .c_str());
}
