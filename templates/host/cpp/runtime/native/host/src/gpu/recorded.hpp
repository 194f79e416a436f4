// Errors of calls that would have to wait for what a CUDA graph only records.
#pragma once

#include <string>

#include <host/error.hpp>

namespace host {

inline RuntimeError cannot_wait(const std::string &way_out) {
  return RuntimeError{"a CUDA graph is being recorded, and no call can wait for it: " + way_out};
}

/// Of a call without `stream=`.
inline RuntimeError not_on_its_stream() {
  return cannot_wait("pass `stream=`, the stream that records it");
}

/// Of a call that finds numbers.
inline RuntimeError not_for_numbers() {
  return cannot_wait("give each number an array with `out=`");
}

/// Of a call with arrays in memory of the host.
inline RuntimeError not_for_host_arrays() {
  return cannot_wait("give it arrays that the GPU can use, such as `cuvec.asarray` makes");
}

} // namespace host
