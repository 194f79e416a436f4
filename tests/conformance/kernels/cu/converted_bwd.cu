#include <cuvec.h>

struct converted_bwd {
  static constexpr auto signature =
      "converted_bwd<D: float32, float64>(dy: D(...), x: float32(...)) -> dx: float32(...)";
  static constexpr auto doc = "The gradient of `converted`; `dy` decides the dtype.";

  template <class D> static __host__ __device__ void each(D dy, float x, float &dx) {
    (void)x;
    dx = static_cast<float>(dy);
  }
};
CUVEC_EXPORT(converted_bwd);
