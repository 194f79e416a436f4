#include <cuvec.h>

using namespace cuvec;

struct silu_and_mul_bwd {
  static constexpr auto signature =
      "silu_and_mul_bwd<T: float32, float16, bfloat16>(dy: T(...), gate: "
      "T(...), up: T(...)) -> dgate: T(...), dup: T(...)";
  static constexpr auto doc = "Return the gradients of `silu_and_mul`.";

  template <class T> static __host__ __device__ void each(T dy, T gate, T up, T &dgate, T &dup) {
    const float x = float(gate), part = fast::recip(1 + fast::exp(-x));
    const float grad = float(dy) * part;
    dgate = T(grad * float(up) * (1 + x * (1 - part)));
    dup = T(grad * x);
  }
};
CUVEC_EXPORT(silu_and_mul_bwd);
