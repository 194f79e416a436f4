#include <cuvec.h>

using namespace cuvec;

struct softmax {
  static constexpr auto signature =
      "softmax<T: float32, float16, bfloat16>(x: T(...,n)) -> y: T(...,n)";
  static constexpr auto doc = "Return exp(x), divided by its sum over each row.";

  template <class T> static __host__ __device__ void row(Row &row, RowIn<T> x, RowOut<T> y) {
    const float largest = row.max([&](Place i) { return x[i]; });
    const auto power = [&](Place i) { return fast::exp(float(x[i]) - largest); };
    const float scale = 1 / row.sum(power);
    row.each([&](Place i) { y[i] = T(power(i) * scale); });
  }
};
CUVEC_EXPORT(softmax);
