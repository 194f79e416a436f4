#include <cuvec.h>

using namespace cuvec;

struct cross_entropy_bwd {
  static constexpr auto signature =
      "cross_entropy_bwd<T: float32, float16, bfloat16>(dloss: float32(...), x: T(...,n), "
      "target: int64(...), lse: float32(...)) -> dx: T(...,n)";
  static constexpr auto doc = "Return the gradient of `cross_entropy`.";

  template <class T>
  static __host__ __device__ void row(Row &row, float dloss, RowIn<T> x, int64 target, float lse,
                                      RowOut<T> dx) {
    row.each([&](Place i) {
      dx[i] = T(dloss * (fast::exp(float(x[i]) - lse) - (i == target ? 1.0F : 0.0F)));
    });
  }
};
CUVEC_EXPORT(cross_entropy_bwd);
