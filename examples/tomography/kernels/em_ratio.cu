#include <cuvec.h>

struct em_ratio {
  static constexpr auto signature =
      "em_ratio<T: float32, float64>(data: T(...), projected: T(...), factors: T(...), "
      "background: T(...)) -> T(...)";
  static constexpr auto doc =
      R"(What EM projects back: `factors * data / (factors * projected + background)`.

Rays on which nothing is expected have none. Shepp and Vardi, IEEE Trans. Med. Imaging 1 (1982), 113.)";

  template <class T>
  static __host__ __device__ void each(T data, T projected, T factors, T background, T &ratio) {
    const T expected = factors * projected + background;
    ratio = expected > 0 ? factors * data / expected : 0;
  }
};
CUVEC_EXPORT(em_ratio);
