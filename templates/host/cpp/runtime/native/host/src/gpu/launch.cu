#include "launch.hpp"

#include <algorithm>
#include <climits>

#include <kernels/kernels.cu>

#include "cuda_stream.hpp"

namespace host::launch {

// Static, and not in an anonymous namespace: nvcc puts the source's path into the names of one.

/// Blocks for so many threads, at most `limit`: the kernels stride over the rest.
static unsigned blocks(std::size_t threads, std::size_t limit = INT_MAX) {
  const std::size_t whole = (threads + BLOCK - 1) / BLOCK;
  return static_cast<unsigned>(std::clamp<std::size_t>(whole, 1, limit));
}

/// Threads that it takes to access `n` elements in vectors.
template <typename T> static std::size_t vectors(std::size_t n) {
  return (n + Vector<T>::LANES - 1) / Vector<T>::LANES;
}

/// Throws what the launch before it met.
static void check_launch() { check(cudaGetLastError()); }

void axpy(float a, const float *x, float *y, std::size_t n, Stream stream) {
  axpy_f32<<<blocks(vectors<float>(n)), BLOCK, 0, cuda(stream)>>>(a, x, y, n);
  check_launch();
}

void axpy(double a, const double *x, double *y, std::size_t n, Stream stream) {
  axpy_f64<<<blocks(vectors<double>(n)), BLOCK, 0, cuda(stream)>>>(a, x, y, n);
  check_launch();
}

std::size_t dot(const float *x, const float *y, double *parts, std::size_t n, Stream stream) {
  const unsigned grid = blocks(vectors<float>(n), DOT_PARTS);
  dot_f32<<<grid, BLOCK, 0, cuda(stream)>>>(x, y, parts, n);
  check_launch();
  return grid;
}

std::size_t dot(const double *x, const double *y, double *parts, std::size_t n, Stream stream) {
  const unsigned grid = blocks(vectors<double>(n), DOT_PARTS);
  dot_f64<<<grid, BLOCK, 0, cuda(stream)>>>(x, y, parts, n);
  check_launch();
  return grid;
}

void address(const void *x, std::uint64_t *seen, Stream stream) {
  ::address<<<1, 1, 0, cuda(stream)>>>(x, seen);
  check_launch();
}

} // namespace host::launch
