#include <cuvec.h>

using namespace cuvec;

template <class T> __global__ void squares_total(In<T> x, Out<double, 0> total) {
  double sum = 0;
  for_block(x.size(), [&](int64 i) { sum += double(x[i]) * double(x[i]); });
  if (const double all = block_sum(sum); threadIdx.x == 0) {
    *total = all;
  }
}

struct squares {
  static constexpr auto signature = "squares<T: float32, float64>(x: T(...)) -> total: float64";
  static constexpr auto derivative = "dx = squares_bwd(dtotal, x)";
  static constexpr auto doc = "The sum of the squares of the elements: a number with a derivative.";

  template <class T> static void gpu(Call &call, In<T> x, Out<double, 0> total) {
    call.launch<squares_total<T>>(Grid(1, 1024), x, total);
  }
  template <class T> static void cpu(In<T> x, Out<double, 0> total) {
    *total = parallel_sum(x.size(), [=](int64 i) { return double(x[i]) * double(x[i]); });
  }
};
CUVEC_EXPORT(squares);
