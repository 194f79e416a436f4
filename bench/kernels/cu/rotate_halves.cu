#include <cuvec.h>

using namespace cuvec;

struct rotate_halves {
  static constexpr auto signature =
      "rotate_halves<T: float32, bfloat16>(a: inout T(...), b: inout T(...), cosine: float32(...), "
      "sine: float32(...))";
  static constexpr auto doc = "Rotate pairs of `a` and `b`, the halves of each head, in place.";

  template <class T> static __host__ __device__ void each(T &a, T &b, float cosine, float sine) {
    const float x = float(a), y = float(b);
    a = T(x * cosine - y * sine);
    b = T(x * sine + y * cosine);
  }
};
CUVEC_EXPORT(rotate_halves);
