#include <cuvec.h>

struct em_update {
  static constexpr auto signature = "em_update<T: float32, float64>(image: inout T(...), "
                                    "correction: T(...), sensitivity: T(...))";
  static constexpr auto doc =
      R"(Multiply `image` by `correction / sensitivity`, in place; pixels that no ray sees become 0.)";

  template <class T> static __host__ __device__ void each(T &image, T correction, T sensitivity) {
    image = sensitivity > 0 ? image * correction / sensitivity : 0;
  }
};
CUVEC_EXPORT(em_update);
