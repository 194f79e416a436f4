#include <cuvec.h>

using namespace cuvec;

struct root {
  static constexpr auto signature = "root<T: float32, float64>(x: T(...)) -> y: T(...)";
  static constexpr auto doc = "Return the square roots of the elements of `x`.";

  template <class T> static __host__ __device__ void each(KernelCall call, T x, T &y) {
    call.fail_if(x < 0, "x is negative");
    y = std::sqrt(x);
  }
};
CUVEC_EXPORT(root);
