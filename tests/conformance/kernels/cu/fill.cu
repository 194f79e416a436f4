#include <cuvec.h>

struct fill {
  static constexpr auto signature =
      "fill<T: bool, int8, uint8, int16, uint16, int32, uint32, "
      "int64, uint64, float16, float32, float64, "
      "complex64, complex128, bfloat16, "
      "float8_e4m3fn, float8_e5m2, float8_e8m0fnu>(y: out T(...), a: T)";
  static constexpr auto doc = "Write a number of any dtype to every element of `y`.";

  template <class T> static __host__ __device__ void each(T &y, T a) { y = a; }
};
CUVEC_EXPORT(fill);
