#include <cuvec.h>

struct power {
  static constexpr auto signature = "power<T: complex64, complex128>(x: T(...)) -> y: real(T)(...)";
  static constexpr auto doc = "The squares of the absolute values.";

  template <class T> static __host__ __device__ void each(T x, cuvec::real_t<T> &y) {
    y = x.re * x.re + x.im * x.im;
  }
};
CUVEC_EXPORT(power);
