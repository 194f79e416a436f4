#include <cuvec.h>

using namespace cuvec;

enum class ApproximateF { sin, cos, tan, exp, exp2, ln, log2, sqrt, rsqrt, recip, tanh, cubed };

struct approximate {
  static constexpr auto signature =
      "approximate(x: float32(n), *, f: {'sin', 'cos', 'tan', 'exp', 'exp2', 'ln', 'log2', 'sqrt', "
      "'rsqrt', 'recip', 'tanh', 'cubed'}) -> y: float32(n)";
  static constexpr auto doc =
      "Return a function of each element that need not be right to the last bits.";

  static __host__ __device__ void each(float x, ApproximateF f, float &y) {
    switch (f) {
    case ApproximateF::sin:
      y = fast::sin(x);
      break;
    case ApproximateF::cos:
      y = fast::cos(x);
      break;
    case ApproximateF::tan:
      y = fast::tan(x);
      break;
    case ApproximateF::exp:
      y = fast::exp(x);
      break;
    case ApproximateF::exp2:
      y = fast::exp2(x);
      break;
    case ApproximateF::ln:
      y = fast::ln(x);
      break;
    case ApproximateF::log2:
      y = fast::log2(x);
      break;
    case ApproximateF::sqrt:
      y = fast::sqrt(x);
      break;
    case ApproximateF::rsqrt:
      y = fast::rsqrt(x);
      break;
    case ApproximateF::recip:
      y = fast::recip(x);
      break;
    case ApproximateF::tanh:
      y = fast::tanh(x);
      break;
    case ApproximateF::cubed:
      y = fast::powf(x, 3);
      break;
    }
  }
};
CUVEC_EXPORT(approximate);
