#include <cuvec.h>

using namespace cuvec;

template <class T> __global__ void first_of(In<T> x, Out<T, 0> value) {
  *value = x.size() > 0 ? x[0] : T(0);
}

struct first {
  static constexpr auto signature = "first<T: bool, int8, uint8, int16, uint16, int32, uint32, "
                                    "int64, uint64, float16, float32, float64, "
                                    "complex64, complex128, bfloat16, "
                                    "float8_e4m3fn, float8_e5m2, float8_e8m0fnu>(x: T(n)) -> T";
  static constexpr auto doc = "The first element of `x`, or zero: a number of any dtype.";

  template <class T> static void gpu(Call &call, In<T> x, Out<T, 0> value) {
    call.launch<first_of<T>>(Grid(1, 1), x, value);
  }
  template <class T> static void cpu(In<T> x, Out<T, 0> value) {
    *value = x.size() > 0 ? x[0] : T(0);
  }
};
CUVEC_EXPORT(first);
