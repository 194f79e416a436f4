#include "smooth.h"

#include <cmath>

using namespace cuvec;

double sweep(double *x, std::size_t n) {
  double largest = 0;
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double mean = (x[i - 1] + x[i + 1]) / 2;
    largest = std::max(largest, std::abs(mean - x[i]));
    x[i] = mean;
  }
  return largest;
}

static __host__ __device__ double smoothed(In<double> x, int64 i, double strength) {
  const bool is_end = i == 0 || i == x.size() - 1;
  return is_end ? x[i] : x[i] + strength * ((x[i - 1] + x[i + 1]) / 2 - x[i]);
}

static __global__ void smooth_kernel(In<double> x, Out<double> y, double strength) {
  const int64 i = int64(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < x.size()) {
    y[i] = smoothed(x, i, strength);
  }
}

void smooth(cuvec_call *call, double *x, double *buffer, std::size_t n, double strength) {
  const Out<double> first{x, {int64(n)}}, second{buffer, {int64(n)}};
  for (const auto &[from, to] : {std::pair(first, second), std::pair(second, first)}) {
    if (call->stream != nullptr) {
      Call(call).launch<smooth_kernel>(threads_for(from.size()), from, to, strength);
      continue;
    }
    for (int64 i = 0; i < from.size(); ++i) {
      to[i] = smoothed(from, i, strength);
    }
  }
}
