#include <cuvec.h>

struct wave {
  static constexpr auto signature = "wave<T: float32, float64>(x: T(...), *, step: T = 1/3, phase: "
                                    "T = -(pi/2), top: T = 2*e - 1, "
                                    "diagonal: T = sqrt(2)**3, small: T = -10**-3, weights: T[2] "
                                    "= (1/2, -e), count: int64 = 3 * 2**10) -> T(...)";
  static constexpr auto doc = "Return what the defaults are, by the index in `x`.";

  template <class T>
  static __host__ __device__ void each(T x, T step, T phase, T top, T diagonal, T small,
                                       cuvec::Tuple<T, 2> weights, cuvec::int64 count, T &y) {
    y = x == T(0)   ? step
        : x == T(1) ? phase
        : x == T(2) ? top
        : x == T(3) ? weights[0]
        : x == T(4) ? weights[1]
        : x == T(5) ? diagonal
        : x == T(6) ? small
                    : T(count);
  }
};
CUVEC_EXPORT(wave);
