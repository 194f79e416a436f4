// The calling thread's CUDA context, which other libraries set too.
//
// `cudaSetDevice` can put back a device, but not a context that another library made itself; so
// this asks the driver.
#pragma once

#include "gpu.hpp"

namespace host {

/// Puts the thread's previous context back when destroyed.
class Current {
public:
  /// Keeps the context as it is, whatever happens meanwhile.
  Current();

  /// Makes the GPU's context the thread's.
  explicit Current(const Gpu &gpu);

  ~Current();
  Current(const Current &) = delete;
  Current &operator=(const Current &) = delete;

  /// The thread's context now.
  static void *context(); // a CUcontext

private:
  void *previous_;
  bool changed_;
};

} // namespace host
