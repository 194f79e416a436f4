#include <cuvec.h>
#include <cuvec/architectures.h>

static_assert(cuvec::detail::runs("90a, 103a", 10, 3) && cuvec::detail::runs("90a, 103a", 9, 0));
static_assert(!cuvec::detail::runs("90a, 103a", 10, 0) && !cuvec::detail::runs("90a, 103a", 12, 0));
static_assert(cuvec::detail::runs("100f", 10, 3) && !cuvec::detail::runs("100f", 12, 0));
static_assert(cuvec::detail::runs("80, 89", 8, 6) && !cuvec::detail::runs("80, 89", 9, 0));
static_assert(cuvec::detail::runs("90, 120+", 13, 0) && !cuvec::detail::runs("90, 120+", 10, 0));
static_assert(!cuvec::detail::runs("", 9, 0));

struct double_on_103a {
  static constexpr auto signature = "double_on_103a(x: inout float32(...))";
  static constexpr auto architectures = "103a";
  static constexpr auto doc = "Double `x`: code for one kind of GPU, which hardly any machine has.";

  static __host__ __device__ void each(float &x) { x *= 2; }
};
CUVEC_EXPORT(double_on_103a);
