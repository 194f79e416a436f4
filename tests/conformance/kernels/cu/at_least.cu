#include <cuvec.h>

struct at_least {
  static constexpr auto signature =
      "at_least(x: float32(...), *, limit: float32(...)) -> float32(...)";
  static constexpr auto doc = "The larger element of `x` and `limit`: an array by name only.";

  static __host__ __device__ void each(float x, float limit, float &y) {
    y = x < limit ? limit : x;
  }
};
CUVEC_EXPORT(at_least);
