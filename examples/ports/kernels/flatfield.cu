#include <cuvec.h>

struct flatfield {
  static constexpr auto signature =
      "flatfield<T: float32, float64>(raw: T(...), dark: T(...), flat: T(...)) -> T(...)";
  static constexpr auto doc =
      R"(What a detector has seen: `(raw - dark) / (flat - dark)`, and 0 where a pixel sees no light.)";

  template <class T> static __host__ __device__ void each(T raw, T dark, T flat, T &seen) {
    seen = flat > dark ? (raw - dark) / (flat - dark) : 0;
  }
};
CUVEC_EXPORT(flatfield);
