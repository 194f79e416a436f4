// Sums that lose nothing worth speaking of.
#pragma once

namespace cuvec {

/// A running sum in twice the precision of a double: `sum + error`.
///
/// Algorithm Dot2 of Ogita, Rump and Oishi, "Accurate sum and dot product", SIAM J. Sci. Comput. 26
/// (2005): the rounding error of every product and of every addition is computed exactly and
/// summed apart.
struct Sum {
  double sum = 0.0;
  double error = 0.0;

  __host__ __device__ Sum &operator+=(double value) {
    const double total = sum + value;
    const double part = total - sum;
    error += (sum - (total - part)) + (value - part);
    sum = total;
    return *this;
  }

  __host__ __device__ Sum &operator+=(const Sum &other) {
    *this += other.sum;
    error += other.error;
    return *this;
  }

  __host__ __device__ void add_product(double a, double b) {
    const double product = a * b;
    error += fma(a, b, -product);
    *this += product;
  }

  /// The product of two floats is exact in a double, and so is nearly every sum of them.
  __host__ __device__ void add_product(float a, float b) { sum += double(a) * double(b); }

  /// The errors of infinities are not numbers; the sum is then right without them.
  __host__ __device__ operator double() const {
    const bool finite = sum - sum == 0.0;
    return finite ? sum + error : sum;
  }
};

} // namespace cuvec
