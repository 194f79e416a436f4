#include "cpu.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "threads.hpp"
#include "vectorized.hpp"

namespace host::cpu {

namespace {

/// Elements below which a second thread costs more than it saves, and the share of one task above.
constexpr std::size_t TASK = std::size_t{1} << 15U;

/// Elements that are added one after the other, in `LANES` sums.
constexpr std::size_t LEAF = 1024;

/// Independent sums of a leaf, for the CPU's vector units.
constexpr std::size_t LANES = 32;

template <typename T> void axpy_serial(T a, const T *x, T *y, std::size_t n) {
  vectorized([=] {
    for (std::size_t i = 0; i < n; ++i) {
      y[i] += a * x[i];
    }
  });
}

template <typename T> double dot_leaf(const T *x, const T *y, std::size_t n) {
  std::array<double, LANES> sums{};
  const std::size_t whole = n / LANES * LANES;
  for (std::size_t i = 0; i < whole; i += LANES) {
    for (std::size_t lane = 0; lane < LANES; ++lane) {
      sums[lane] += static_cast<double>(x[i + lane]) * static_cast<double>(y[i + lane]);
    }
  }
  for (std::size_t i = whole; i < n; ++i) {
    sums[i - whole] += static_cast<double>(x[i]) * static_cast<double>(y[i]);
  }
  for (std::size_t half = LANES / 2; half > 0; half /= 2) {
    for (std::size_t lane = 0; lane < half; ++lane) {
      sums[lane] += sums[lane + half];
    }
  }
  return sums[0];
}

template <typename T> double dot_serial(const T *x, const T *y, std::size_t n) {
  if (n <= LEAF) {
    return vectorized([=] { return dot_leaf(x, y, n); });
  }
  const std::size_t half = (n / 2 + LANES - 1) / LANES * LANES;
  const double left = dot_serial(x, y, half);
  return left + dot_serial(x + half, y + half, n - half);
}

} // namespace

template <typename T> void axpy(T a, const T *x, T *y, std::size_t n) {
  if (n <= TASK) {
    axpy_serial(a, x, y, n);
    return;
  }
  threads::run((n + TASK - 1) / TASK, [a, x, y, n](std::size_t i) {
    const std::size_t start = i * TASK;
    axpy_serial(a, x + start, y + start, std::min(TASK, n - start));
  });
}

template <typename T> double dot(const T *x, const T *y, std::size_t n) {
  if (n <= TASK) {
    return dot_serial(x, y, n);
  }
  std::vector<double> sums((n + TASK - 1) / TASK);
  threads::run(sums.size(), [&sums, x, y, n](std::size_t i) {
    const std::size_t start = i * TASK;
    sums[i] = dot_serial(x + start, y + start, std::min(TASK, n - start));
  });
  return sum(sums.data(), sums.size());
}

double sum(const double *x, std::size_t n) {
  if (n < 2) {
    return n == 0 ? 0.0 : x[0];
  }
  const double left = sum(x, n / 2);
  return left + sum(x + n / 2, n - n / 2);
}

template void axpy(float a, const float *x, float *y, std::size_t n);
template void axpy(double a, const double *x, double *y, std::size_t n);
template double dot(const float *x, const float *y, std::size_t n);
template double dot(const double *x, const double *y, std::size_t n);

} // namespace host::cpu
