#include <cuvec.h>

enum class ActivateMode { relu, silu };

struct activate {
  static constexpr auto signature =
      "activate<T: float32, float64>(x: T(...), mode: {'relu', 'silu'} = 'relu', *, "
      "limit: T = inf) -> y: T(...)";
  static constexpr auto doc = "An activation of each element, at most `limit`.";

  template <class T> static __host__ __device__ void each(T x, ActivateMode mode, T limit, T &y) {
    const T value = mode == ActivateMode::silu ? x / (1 + exp(-x)) : x > 0 ? x : T(0);
    y = value < limit ? value : limit;
  }
};
CUVEC_EXPORT(activate);
