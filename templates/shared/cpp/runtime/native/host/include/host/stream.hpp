// CUDA streams of callers.
#pragma once

#include <cstdint>

namespace host {

/// A stream that belongs to somebody else, by its `cudaStream_t` handle.
///
/// 0 and 1 are the legacy default stream, 2 is the calling thread's default stream.
struct Stream {
  std::uintptr_t handle = 0;
};

inline bool operator==(Stream a, Stream b) {
  return a.handle == b.handle || (a.handle <= 1 && b.handle <= 1);
}
inline bool operator!=(Stream a, Stream b) { return !(a == b); }

inline constexpr Stream LEGACY_DEFAULT_STREAM{1};

} // namespace host
