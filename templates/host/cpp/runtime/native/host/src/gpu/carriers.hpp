// Threads that carry large arrays between the GPU and host memory that CUDA does not know.
//
// CUDA copies such memory on one thread and takes several times as long as the bus needs. Here
// every thread has two pinned buffers: while one is on the bus, it copies to or from the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "gpu.hpp"

namespace host {

/// The stream must have been waited for before they end: transfers use their buffers until then.
class Carriers {
public:
  Carriers(const Gpu &gpu, Stream stream);
  ~Carriers();
  Carriers(const Carriers &) = delete;
  Carriers &operator=(const Carriers &) = delete;

  /// Copies host memory to `to` on the GPU, ordered on the stream. On return `from` has been read.
  void upload(const std::byte *from, std::uintptr_t to, std::size_t bytes);

  /// Copies GPU memory to the host after all work on the stream. On return `to` is complete.
  void download(std::uintptr_t from, std::byte *to, std::size_t bytes);

private:
  class Carrier;
  class Chunks;

  /// Calls work(carrier, chunks) on several threads, each with a carrier of its own.
  void share(std::size_t bytes, const std::function<void(Carrier &, Chunks &)> &work);

  const Gpu &gpu_;
  std::vector<Carrier> carriers_; // one for each thread
};

} // namespace host
