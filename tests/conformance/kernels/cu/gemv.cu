#include <cuvec.h>

using namespace cuvec;

template <class T> __host__ __device__ T gemv_row(In<T, 2> a, In<T> x, int64 i, T alpha, T beta) {
  T sum(0);
  for (int64 j = 0; j < a.size(1); ++j) {
    sum += a(i, j) * x[j];
  }
  return alpha * sum + beta;
}

template <class T> __global__ void gemv_rows(In<T, 2> a, In<T> x, T alpha, T beta, Out<T> y) {
  for (int64 i = thread_index(); i < a.size(0); i += thread_count()) {
    y[i] = gemv_row(a, x, i, alpha, beta);
  }
}

struct gemv {
  static constexpr auto signature =
      "gemv<T: float32, float64, complex64, complex128>"
      "(a: T(m, n), x: T(n), *, alpha: T = 1, beta: T = -0.5) -> y: T(m)";
  static constexpr auto doc =
      "`alpha * a @ x + beta`: dimensions that agree, and numbers given by name.";

  template <class T> static void gpu(Call &call, In<T, 2> a, In<T> x, T alpha, T beta, Out<T> y) {
    call.launch<gemv_rows<T>>(threads_for(y.size()), a, x, alpha, beta, y);
  }
  template <class T> static void cpu(In<T, 2> a, In<T> x, T alpha, T beta, Out<T> y) {
    parallel(y.size(), [=](int64 i) { y[i] = gemv_row(a, x, i, alpha, beta); });
  }
};
CUVEC_EXPORT(gemv);
