#include <cuvec.h>

using namespace cuvec;

template <class T, class I, class J>
__host__ __device__ T csr_product_row(In<I> indptr, In<J> indices, In<T> data, In<T> x, int64 row) {
  T sum = 0;
  for (int64 k = indptr[row]; k < indptr[row + 1]; ++k) {
    sum += data[k] * x[indices[k]];
  }
  return sum;
}

template <class T, class I, class J>
__global__ void csr_product_kernel(In<I> indptr, In<J> indices, In<T> data, In<T> x, Out<T> y) {
  for (int64 row = thread_index(); row < y.size(); row += thread_count()) {
    y[row] = csr_product_row(indptr, indices, data, x, row);
  }
}

struct csr_product {
  static constexpr auto signature = R"(csr_product<T: float32, float64, I, J: int32, int64>(
      indptr: I(m+1), indices: J(k), data: T(k), x: T(n)) -> y: T(m))";
  static constexpr auto doc = "As `spmv`, of indices that have a dtype of their own.";

  template <class T, class I, class J>
  static void gpu(Call &call, In<I> indptr, In<J> indices, In<T> data, In<T> x, Out<T> y) {
    call.launch<csr_product_kernel<T, I, J>>(threads_for(y.size()), indptr, indices, data, x, y);
  }
  template <class T, class I, class J>
  static void cpu(In<I> indptr, In<J> indices, In<T> data, In<T> x, Out<T> y) {
    parallel(y.size(), [=](int64 row) { y[row] = csr_product_row(indptr, indices, data, x, row); });
  }
};
CUVEC_EXPORT(csr_product);
