#include "smooth.h"

#include <cmath>
#include <string>

using namespace cuvec;

/// One round; returns the largest change.
static double sweep(Out<double> x) {
  double largest = 0;
  for (int64 i = 1; i < x.size() - 1; ++i) {
    const double mean = (x[i - 1] + x[i + 1]) / 2;
    largest = std::max(largest, std::abs(mean - x[i]));
    x[i] = mean;
  }
  return largest;
}

long relax(const Vector &array, double tolerance, long limit, PyObject *stream) {
  const auto body = [=](Out<double> x) { // other threads run meanwhile
    for (long round = 1; round <= limit; ++round) {
      if (sweep(x) <= tolerance) {
        return round;
      }
      check_interrupt(); // Ctrl-C
    }
    throw NotConverged("x still changes after the last round");
  };
  return run("relax", stream, body, array);
}

Vector line(double start, double stop, long long n) {
  auto array = zeros<double>(n);
  const double step = (stop - start) / double(std::max(1LL, n - 1));
  const auto body = [=](Out<double> y) {
    parallel(y.size(), [=](int64 i) { y[i] = start + step * double(i); });
  };
  run("line", nullptr, body, array);
  return array;
}

static __host__ __device__ double smoothed(In<double> x, int64 i, double strength) {
  const bool is_end = i == 0 || i == x.size() - 1;
  return is_end ? x[i] : x[i] + strength * ((x[i - 1] + x[i + 1]) / 2 - x[i]);
}

static __global__ void smooth(In<double> x, Out<double> y, double strength) {
  const int64 i = int64(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < x.size()) {
    y[i] = smoothed(x, i, strength);
  }
}

Smoother::Smoother(long long n, double strength) : strength_(strength), buffer_(zeros<double>(n)) {}

void Smoother::apply(const Vector &array, PyObject *stream) const {
  if (!buffer_) {
    throw std::invalid_argument("the Smoother is closed"); // a ValueError
  }
  const auto size = std::to_string(array.size()), expected = std::to_string(buffer_.size());
  if (size != expected) {
    throw std::invalid_argument("x has " + size + " elements, but the Smoother is for " + expected);
  }
  const auto cpu = [strength = strength_](Out<double> x, Out<double> buffer) {
    parallel(x.size(), [=](int64 i) { buffer[i] = smoothed(x, i, strength); });
    parallel(x.size(), [=](int64 i) { x[i] = smoothed(buffer, i, strength); });
  };
  const auto gpu = [strength = strength_](Call &call, Out<double> x, Out<double> buffer) {
    const Grid grid = threads_for(x.size());
    call.launch<smooth>(grid, x, buffer, strength);
    call.launch<smooth>(grid, buffer, x, strength);
  };
  run("apply", stream, Bodies{cpu, gpu}, array, buffer_);
}
