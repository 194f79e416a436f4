#include <cuvec.h>

struct swap {
  static constexpr auto signature = "swap<T: int32, float64>(x: inout T(...), y: inout T(...))";
  static constexpr auto doc = "Exchange the elements of two arrays.";

  template <class T> static __host__ __device__ void each(T &x, T &y) {
    const T before = x;
    x = y;
    y = before;
  }
};
CUVEC_EXPORT(swap);
