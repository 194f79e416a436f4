#include <cuvec.h>

using namespace cuvec;

// One warp for each row of `a`.
template <class T> __global__ void gemv_rows(In<T, 2> a, In<T> x, Out<T> y) {
  const int64 row = thread_index() / 32;
  if (row >= y.size()) {
    return;
  }
  T sum = 0;
  for (int64 j = threadIdx.x % 32; j < x.size(); j += 32) {
    sum += a(row, j) * x[j];
  }
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) {
    y[row] = sum;
  }
}

struct gemv {
  static constexpr auto signature = "gemv<T: float32, float64>(a: T(m,n), x: T(n)) -> y: T(m)";
  static constexpr auto doc = "Return the product of the matrix `a` and the vector `x`.";

  template <class T> static void gpu(Call &call, In<T, 2> a, In<T> x, Out<T> y) {
    call.launch<gemv_rows<T>>(threads_for(32 * y.size()), a, x, y);
  }

  template <class T> static void cpu(In<T, 2> a, In<T> x, Out<T> y) {
    const auto row = [=](int64 i) { return [=](int64 j) { return a(i, j) * x[j]; }; };
    parallel(y.size(), [=](int64 i) { y[i] = sum(0, x.size(), row(i)); }, grain_for_rows(x.size()));
  }
};
CUVEC_EXPORT(gemv);
