// Launches of the kernels of kernels/kernels.cu, in the same order. They return as soon as the
// kernel is on the stream. Without CUDA none is defined, and none is called.
#pragma once

#include <cstddef>
#include <cstdint>

#include <host/stream.hpp>

namespace host::launch {

/// y += a * x
void axpy(float a, const float *x, float *y, std::size_t n, Stream stream);
void axpy(double a, const double *x, double *y, std::size_t n, Stream stream);

/// The most partial sums that `dot` gives. The number does not depend on the GPU, so that every
/// GPU gives the same bits.
inline constexpr std::size_t DOT_PARTS = 2048;

/// Fills `parts` with partial sums of x * y, and returns how many there will be.
std::size_t dot(const float *x, const float *y, double *parts, std::size_t n, Stream stream);
std::size_t dot(const double *x, const double *y, double *parts, std::size_t n, Stream stream);

/// *seen = the address that the kernel was given
void address(const void *x, std::uint64_t *seen, Stream stream);

} // namespace host::launch
