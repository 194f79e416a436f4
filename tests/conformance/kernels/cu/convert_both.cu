#include <cuvec.h>

struct convert_both {
  static constexpr auto signature =
      "convert_both<T: float16, bfloat16, float8_e4m3fn, float8_e5m2, float8_e8m0fnu>"
      "(x: inout float32(...), y: inout T(...))";
  static constexpr auto doc = "Exchange the elements of two arrays, converted, without arithmetic.";

  template <class T> static __host__ __device__ void each(float &x, T &y) {
    const float before = x;
    x = float(y);
    y = T(before);
  }
};
CUVEC_EXPORT(convert_both);
