// Functions written by hand, for work that is no kernel. ext.py calls them.

#include <algorithm>
#include <cmath>
#include <cstddef>

#ifdef _WIN32
#define EXPORT extern "C" __declspec(dllexport)
#else
#define EXPORT extern "C" __attribute__((visibility("default")))
#endif

/// Makes every element but the ends the mean of its neighbours; returns the largest change.
EXPORT double ext_smooth(double *x, std::ptrdiff_t n) {
  double largest = 0;
  for (std::ptrdiff_t i = 1; i < n - 1; ++i) {
    const double mean = (x[i - 1] + x[i + 1]) / 2;
    largest = std::max(largest, std::abs(mean - x[i]));
    x[i] = mean;
  }
  return largest;
}
