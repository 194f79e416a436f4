// Handles of streams and events.
#pragma once

#include <cuda_runtime_api.h>

#include <host/stream.hpp>

#include "cuda_error.hpp"

namespace host {

inline cudaStream_t cuda(Stream stream) { return reinterpret_cast<cudaStream_t>(stream.handle); }

/// A point on a stream that others can wait for.
class Event {
public:
  Event() { check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
  ~Event() { ignore(cudaEventDestroy(event_)); }
  Event(const Event &) = delete;
  Event &operator=(const Event &) = delete;

  cudaEvent_t get() const { return event_; }
  void record(Stream stream) { check(cudaEventRecord(event_, cuda(stream))); }
  void synchronize() { check(cudaEventSynchronize(event_)); }

private:
  cudaEvent_t event_ = nullptr;
};

} // namespace host
