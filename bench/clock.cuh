#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

#include "check.cuh"

/// Seconds: the median of several batches, and the quartiles.
struct Times {
  double median, low, high;
};

inline Times times_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return {values[n / 2], values[n / 4], values[3 * n / 4]};
}

class Stopwatch {
public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Times one `work()` in batches that each end with a wait, which is a part of it only if it is
/// `counted`.
template <typename Work> Times times(int batches, int repeats, bool counted, Work work) {
  std::vector<double> values;
  for (int batch = -1; batch < batches; ++batch) { // the first warms up
    const Stopwatch watch;
    for (int i = 0; i < repeats; ++i) {
      work();
    }
    double seconds = watch.seconds();
    CHECK(cudaDeviceSynchronize());
    if (counted) {
      seconds = watch.seconds();
    }
    if (batch >= 0) {
      values.push_back(seconds / repeats);
    }
  }
  return times_of(values);
}
