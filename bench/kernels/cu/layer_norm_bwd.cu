#include <cuvec.h>

using namespace cuvec;

// The sums over a row that the gradients need.
struct RowSums {
  float grad, product; // of dy * weight, and of that times the normalized x
  __host__ __device__ RowSums &operator+=(RowSums other) {
    grad += other.grad;
    product += other.product;
    return *this;
  }
};

template <class T> struct LayerNormRow {
  In<T, 2> dy, x;
  In<T> weight;
  float mean, rstd;
  int64 row;

  __host__ __device__ float normal(int64 i) const { return (float(x(row, i)) - mean) * rstd; }
  __host__ __device__ RowSums term(int64 i) const {
    const float grad = float(dy(row, i)) * float(weight[i]);
    return {grad, grad * normal(i)};
  }
  __host__ __device__ void write(RowSums sums, int64 i, Out<T, 2> dx, Out<T, 2> dweight,
                                 Out<T, 2> dbias) const {
    const auto n = float(weight.size());
    dx(row, i) = T(rstd * (term(i).grad - sums.grad / n - normal(i) * sums.product / n));
    dweight(row, i) = T(float(dy(row, i)) * normal(i));
    dbias(row, i) = dy(row, i);
  }
};

template <class T>
__global__ void layer_norm_bwd_rows(In<T, 2> dy, In<T, 2> x, In<T> weight, In<float> mean,
                                    In<float> rstd, Out<T, 2> dx, Out<T, 2> dweight,
                                    Out<T, 2> dbias) {
  const int64 row = blockIdx.x;
  const LayerNormRow<T> at{dy, x, weight, mean[row], rstd[row], row};
  auto *sums = shared_memory<RowSums>();
  RowSums mine{};
  for_block(weight.size(), [&](int64 i) { mine += at.term(i); });
  mine = block_sum(mine);
  if (threadIdx.x == 0) {
    *sums = mine;
  }
  __syncthreads();
  for_block(weight.size(), [&](int64 i) { at.write(*sums, i, dx, dweight, dbias); });
}

struct layer_norm_bwd {
  static constexpr auto signature =
      "layer_norm_bwd<T: float32, bfloat16>(dy: T(...,n), x: T(...,n), weight: T(n), "
      "mean: float32(...), rstd: float32(...)) -> dx: T(...,n), dweight: T(...,n), "
      "dbias: T(...,n)";
  static constexpr auto doc = "Return the gradients of `layer_norm`; for `weight` and `bias` "
                              "one for each row.";

  template <class T>
  static void gpu(Call &call, In<T, 2> dy, In<T, 2> x, In<T> weight, In<float> mean, In<float> rstd,
                  Out<T, 2> dx, Out<T, 2> dweight, Out<T, 2> dbias) {
    const Grid grid(rstd.size(), 256, sizeof(RowSums));
    call.launch<layer_norm_bwd_rows<T>>(grid, dy, x, weight, mean, rstd, dx, dweight, dbias);
  }

  template <class T>
  static void cpu(In<T, 2> dy, In<T, 2> x, In<T> weight, In<float> mean, In<float> rstd,
                  Out<T, 2> dx, Out<T, 2> dweight, Out<T, 2> dbias) {
    const auto differentiate = [=](int64 row) {
      const LayerNormRow<T> at{dy, x, weight, mean[row], rstd[row], row};
      RowSums sums{};
      for (int64 i = 0; i < weight.size(); ++i) {
        sums += at.term(i);
      }
      for (int64 i = 0; i < weight.size(); ++i) {
        at.write(sums, i, dx, dweight, dbias);
      }
    };
    parallel(rstd.size(), differentiate, 16);
  }
};
CUVEC_EXPORT(layer_norm_bwd);
