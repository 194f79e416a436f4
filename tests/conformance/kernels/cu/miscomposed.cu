#include <cuvec.h>

using namespace cuvec;

struct miscomposed {
  static constexpr auto signature =
      "miscomposed(how: int32, a: float64(n,n), x: float64(n)) -> y: float64(n)";
  static constexpr auto doc = "`a @ x`, after a call of another function that is wrong.";

  static void compose(Call &call, int how, In<double, 2> a, In<double> x, Out<double> y) {
    switch (how) {
    case 1:
      call.run("gemv", a, x, y);
      break;
    case 2:
      call.run("gemv", a, x, 1, 0, x);
      break;
    case 3:
      call.run("gemv", a, y, 1, 0, y);
      break;
    case 4:
      call.run("gemm", a, a, y);
      break;
    case 5:
      call.run("gemv", a, a, 1, 0, y);
      break;
    case 6:
      call.run("gemv", a, x, complex128(1, 1), 0, y);
      break;
    case 7:
      call.run("fail", 3, call.scratch<int>(1), false);
      break;
    case 8:
      call.run("miscomposed", how, a, x, y);
      break;
    default:
      break;
    }
    call.run("gemv", a, x, 1, 0, y);
  }

  static void gpu(Call &call, int how, In<double, 2> a, In<double> x, Out<double> y) {
    compose(call, how, a, x, y);
  }
  static void cpu(Call &call, int how, In<double, 2> a, In<double> x, Out<double> y) {
    compose(call, how, a, x, y);
  }
};
CUVEC_EXPORT(miscomposed);
