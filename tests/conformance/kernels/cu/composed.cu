#include <cuvec.h>

using namespace cuvec;

struct composed {
  static constexpr auto signature =
      "composed<T: float32, float64>(a: T(n,n), x: T(n)) -> y: T(n), product: float64";
  static constexpr auto doc = "`a @ (a @ x)`, and its product with `x`.";

  // On both sides, by other functions of the package.
  template <class T>
  static void compose(Call &call, In<T, 2> a, In<T> x, Out<T> y, Out<double, 0> product) {
    const Out<T> between = call.scratch<T>(x.size());
    call.run("gemv", a, x, 1, 0, between);
    call.run("gemv", a, between, 1, 0, y);
    call.run("dot", x, y, product);
  }

  template <class T>
  static void gpu(Call &call, In<T, 2> a, In<T> x, Out<T> y, Out<double, 0> product) {
    compose(call, a, x, y, product);
  }
  template <class T>
  static void cpu(Call &call, In<T, 2> a, In<T> x, Out<T> y, Out<double, 0> product) {
    compose(call, a, x, y, product);
  }
};
CUVEC_EXPORT(composed);
