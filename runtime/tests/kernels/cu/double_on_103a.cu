#include <cuvec.h>

struct double_on_103a {
  static constexpr auto signature = "double_on_103a(x: inout float32(...))";
  static constexpr auto architectures = "103a";
  static constexpr auto doc = "Double `x`: code for one kind of GPU, which hardly any machine has.";

  static __host__ __device__ void each(float &x) { x *= 2; }
};
CUVEC_EXPORT(double_on_103a);
