// Arrays of other libraries that the GPU still uses when a call has returned.
#pragma once

#include <host/stream.hpp>

namespace core {

/// Marks the end of the call on this stream and GPU that this thread has made. Its arguments are
/// then to be given to `core_py_keep`.
void mark_unfinished(host::Stream stream, int gpu);

} // namespace core
