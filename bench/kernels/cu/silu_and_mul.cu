#include <cuvec.h>

using namespace cuvec;

struct silu_and_mul {
  static constexpr auto signature =
      "silu_and_mul<T: float32, float16, bfloat16>(gate: T(...), up: T(...)) -> y: T(...)";
  static constexpr auto derivative = "dgate, dup = silu_and_mul_bwd(dy, gate, up)";
  static constexpr auto doc = "Return `up`, times silu of `gate`.";

  template <class T> static __host__ __device__ void each(T gate, T up, T &y) {
    y = T(float(gate) * fast::recip(1 + fast::exp(-float(gate))) * float(up));
  }
};
CUVEC_EXPORT(silu_and_mul);
