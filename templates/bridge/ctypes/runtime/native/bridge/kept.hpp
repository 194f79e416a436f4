// Arrays of other libraries that the GPU still uses when a call has returned.
#pragma once

#include <host/stream.hpp>

namespace core {

/// Whether the call on this stream and GPU that this thread has made is not over yet. Its arguments
/// are then to be given to `core_py_keep`.
bool is_unfinished(host::Stream stream, int gpu);

} // namespace core
