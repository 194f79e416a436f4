#include <cuvec.h>

struct choose {
  static constexpr auto signature = "choose<T: bool, uint8, int16, float16, complex64>(mask: "
                                    "bool(...), x: T(...), y: T(...)) -> T(...)";
  static constexpr auto doc = "Elements of `x` where `mask` is true, else of `y`.";

  template <class T> static __host__ __device__ void each(bool mask, T x, T y, T &z) {
    z = mask ? x : y;
  }
};
CUVEC_EXPORT(choose);
