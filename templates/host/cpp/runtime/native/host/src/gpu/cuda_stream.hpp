// Handles of streams and events.
#pragma once

#include <cuda_runtime_api.h>

#include <host/stream.hpp>

#include "cuda_error.hpp"

namespace host {

inline cudaStream_t cuda(Stream stream) { return reinterpret_cast<cudaStream_t>(stream.handle); }

/// The thread may ask for events, even while one of its streams records a graph: that is not to
/// become a part of it.
class Uncaptured {
public:
  Uncaptured() { exchange(); }
  ~Uncaptured() { exchange(); }
  Uncaptured(const Uncaptured &) = delete;
  Uncaptured &operator=(const Uncaptured &) = delete;

private:
  void exchange() { ignore(cudaThreadExchangeStreamCaptureMode(&mode_)); }

  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

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

  /// Whether everything that was on the stream before it has been done.
  bool has_happened() const {
    const Uncaptured uncaptured;
    const cudaError_t error = cudaEventQuery(event_);
    if (error == cudaErrorNotReady) {
      ignore(error);
      return false;
    }
    check(error);
    return true;
  }

private:
  cudaEvent_t event_ = nullptr;
};

} // namespace host
