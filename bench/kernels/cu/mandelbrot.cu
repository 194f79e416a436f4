#include <cuvec.h>

struct mandelbrot {
  static constexpr auto signature =
      "mandelbrot(c: complex128(...), limit: int64 = 100) -> steps: int32(...)";
  static constexpr auto doc = "Return after how many steps of z*z + c |z| is larger than 2.";

  static __host__ __device__ void each(cuvec::complex128 c, cuvec::int64 limit, int &steps) {
    double re = 0, im = 0;
    steps = 0;
    while (steps < limit && re * re + im * im <= 4) {
      const double next = re * re - im * im + c.real();
      im = 2 * re * im + c.imag();
      re = next;
      ++steps;
    }
  }
};
CUVEC_EXPORT(mandelbrot);
