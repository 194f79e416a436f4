#include <cuvec.h>

using namespace cuvec;

template <class T> __global__ void total_block(In<T> x, Out<T, 0> total) {
  T sum(0);
  for_block(x.size(), [&](int64 i) { sum += x[i]; });
  if (const T all = block_sum(sum); threadIdx.x == 0) {
    *total = all;
  }
}

struct total {
  static constexpr auto signature =
      "total<T: int8, float16, float32, complex64, complex128>(x: T(...)) -> total: T";
  static constexpr auto doc = "The sum of the elements.";

  template <class T> static void gpu(Call &call, In<T> x, Out<T, 0> total) {
    call.launch<total_block<T>>(Grid(1, 256), x, total);
  }
  template <class T> static void cpu(In<T> x, Out<T, 0> total) {
    T sum(0);
    for (int64 i = 0; i < x.size(); ++i) {
      sum += x[i];
    }
    *total = sum;
  }
};
CUVEC_EXPORT(total);
