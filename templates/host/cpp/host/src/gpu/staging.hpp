// Copies between the GPU and host memory that CUDA does not know.
//
// CUDA copies such memory on one thread, through a buffer of its own, and takes several times as
// long as the bus needs. Here several threads each carry chunks through pinned buffers, so that
// copies by the CPU and transfers over the bus go on at the same time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu.hpp"

namespace host::staging {

/// Copies host memory to `to` on the GPU, ordered on `stream`. On return `from` has been read.
void upload(const Gpu &gpu, Stream stream, const void *from, std::uintptr_t to, std::size_t bytes);

/// Copies GPU memory to the host after all work on `stream`. On return `to` is complete.
void download(const Gpu &gpu, Stream stream, std::uintptr_t from, void *to, std::size_t bytes);

} // namespace host::staging
