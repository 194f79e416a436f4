// The GPUs that this process uses.
#pragma once

#include <string>

#include <host/device.hpp>

#include "arrays.hpp"
#include "gpu/gpu.hpp"

namespace host {

/// Whether this process works on GPUs.
bool has_gpus();

/// The GPU for new arrays and for functions whose arguments name none; null on the CPU.
const Gpu *current_gpu();

/// The GPU of this index. Throws `ValueError` when there is none and `RuntimeError` in a forked
/// process.
const Gpu &gpu_at(std::ptrdiff_t index);

/// The GPU that a function with these arguments runs on: theirs, or the current one when all of
/// them are in host memory; null on the CPU. Throws `ValueError` when they are on two GPUs.
const Gpu *common_gpu(const Arrays &arrays);

/// The error for an array on the GPU in a process that works on the CPU.
ValueError no_gpu_to_read_with();

} // namespace host
