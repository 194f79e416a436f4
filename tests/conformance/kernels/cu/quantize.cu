#include <cuvec.h>

using namespace cuvec;

struct quantize {
  static constexpr auto signature =
      "quantize<T: float32, bfloat16>(x: T(...), *, scale: float32 = 1) -> q: float8_e4m3fn(...)";
  static constexpr auto doc = "Return `x` divided by `scale`, in 8 bits, at most 448.";

  template <class T> static __host__ __device__ void each(T x, float scale, float8_e4m3fn &q) {
    const float most = 448, value = float(x) / scale;
    q = float8_e4m3fn(value > most ? most : value < -most ? -most : value);
  }
};
CUVEC_EXPORT(quantize);
