#include <cuvec.h>

using namespace cuvec;

struct many {
  static constexpr auto signature =
      "many(a: float64, b: float64, c: float64, d: float64, e: float64, f: float64, g: float64, "
      "h: float64, i: float64, j: float64, k: float64, l: float64, m: float64, n: float64, "
      "o: float64, p: float64, q: float64, r: float64, s: float64, t: float64, u: float64, "
      "v: float64, w: float64, x: float64, y: float64, z: float64, "
      "x0: float64(...), x1: float64(...), x2: float64(...), x3: float64(...), "
      "the_last_of_all_arguments_whose_name_has_as_many_letters_as_any: float64(...)) "
      "-> y0: float64(...)";
  static constexpr auto doc = "As many arguments and results as there can be, added up.";

  static __host__ __device__ void each(double a, double b, double c, double d, double e, double f,
                                       double g, double h, double i, double j, double k, double l,
                                       double m, double n, double o, double p, double q, double r,
                                       double s, double t, double u, double v, double w, double x,
                                       double y, double z, double x0, double x1, double x2,
                                       double x3, double x4, double &y0) {
    y0 = a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q + r + s + t + u + v + w +
         x + y + z + x0 + x1 + x2 + x3 + x4;
  }
};
CUVEC_EXPORT(many);
