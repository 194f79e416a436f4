#include "cpu.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "threads.hpp"

namespace host::cpu {

namespace {

/// Elements below which a second thread costs more than it saves, and the share of one task above.
constexpr std::size_t TASK = std::size_t{1} << 15U;

/// Elements that are added one after the other, in `LANES` sums.
constexpr std::size_t LEAF = 128;

/// Independent sums of a leaf, for the CPU's vector units.
constexpr std::size_t LANES = 8;

template <typename T> void axpy_serial(T a, const T *x, T *y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    y[i] += a * x[i];
  }
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
  double sum = 0.0;
  for (std::size_t lane = 0; lane < LANES; lane += 2) {
    sum += sums[lane] + sums[lane + 1];
  }
  return sum;
}

/// Adds the values of the leaves of a tree over `n` elements: leaf(start, n) for every piece of at
/// most `largest` elements, from left to right.
template <typename Leaf>
double add_pairwise(std::size_t start, std::size_t n, std::size_t largest, Leaf &&leaf) {
  if (n <= largest) {
    return leaf(start, n);
  }
  const std::size_t half = (n / 2 + LANES - 1) / LANES * LANES;
  const double left = add_pairwise(start, half, largest, leaf);
  return left + add_pairwise(start + half, n - half, largest, leaf);
}

template <typename T> double dot_serial(const T *x, const T *y, std::size_t n) {
  return add_pairwise(0, n, LEAF, [x, y](std::size_t start, std::size_t count) {
    return dot_leaf(x + start, y + start, count);
  });
}

/// The same sum: the lower parts of the tree by several threads, then the upper part.
template <typename T> double dot_parallel(const T *x, const T *y, std::size_t n) {
  struct Part {
    std::size_t start;
    std::size_t n;
    double sum;
  };
  std::vector<Part> parts;
  add_pairwise(0, n, TASK, [&parts](std::size_t start, std::size_t count) {
    parts.push_back({start, count, 0.0});
    return 0.0;
  });
  threads::run(parts.size(), [&parts, x, y](std::size_t i) {
    parts[i].sum = dot_serial(x + parts[i].start, y + parts[i].start, parts[i].n);
  });
  auto part = parts.cbegin();
  return add_pairwise(0, n, TASK,
                      [&part](std::size_t /*start*/, std::size_t /*n*/) { return (part++)->sum; });
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
  return n <= TASK ? dot_serial(x, y, n) : dot_parallel(x, y, n);
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
