#include <cuvec.h>

using namespace cuvec;

template <class T, class I>
__host__ __device__ T spmv_row(In<I> indptr, In<I> indices, In<T> data, In<T> x, int64 row) {
  T sum = 0;
  for (int64 k = indptr[row]; k < indptr[row + 1]; ++k) {
    sum += data[k] * x[indices[k]];
  }
  return sum;
}

template <class T, class I>
__global__ void spmv_kernel(In<I> indptr, In<I> indices, In<T> data, In<T> x, Out<T> y) {
  for (int64 row = thread_index(); row < y.size(); row += thread_count()) {
    y[row] = spmv_row(indptr, indices, data, x, row);
  }
}

struct spmv {
  static constexpr auto signature = R"(spmv<T: float32, float64, I: int32, int64>(
      indptr: I(m+1), indices: I(k), data: T(k), x: T(n)) -> y: T(m))";
  static constexpr auto doc = "The product of a sparse matrix (CSR) and a vector.";

  template <class T, class I>
  static void gpu(Call &call, In<I> indptr, In<I> indices, In<T> data, In<T> x, Out<T> y) {
    call.launch<spmv_kernel<T, I>>(threads_for(y.size()), indptr, indices, data, x, y);
  }
  template <class T, class I>
  static void cpu(In<I> indptr, In<I> indices, In<T> data, In<T> x, Out<T> y) {
    parallel(y.size(), [=](int64 row) { y[row] = spmv_row(indptr, indices, data, x, row); });
  }
};
CUVEC_EXPORT(spmv);
