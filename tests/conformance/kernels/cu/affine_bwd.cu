#include <cuvec.h>

using namespace cuvec;

// First the sums over every so many-th row, each a share.
template <class T>
__host__ __device__ void affine_bwd_share(In<T, 2> dy, In<T, 2> x, In<T> weight, Out<T, 2> dx,
                                          Out<T, 3> shares, int64 share, int64 column) {
  T dweight = 0, dbias = 0;
  for (int64 row = share; row < x.size(0); row += shares.size(0)) {
    dx(row, column) = dy(row, column) * weight[column];
    dweight += dy(row, column) * x(row, column);
    dbias += dy(row, column);
  }
  shares(share, 0, column) = dweight;
  shares(share, 1, column) = dbias;
}

// Then the sums over the shares.
template <class T>
__host__ __device__ void affine_bwd_total(In<T, 3> shares, Out<T> dweight, Out<T> dbias,
                                          int64 column) {
  dweight[column] = dbias[column] = 0;
  for (int64 share = 0; share < shares.size(0); ++share) {
    dweight[column] += shares(share, 0, column);
    dbias[column] += shares(share, 1, column);
  }
}

template <class T>
__global__ void affine_bwd_shares(In<T, 2> dy, In<T, 2> x, In<T> weight, Out<T, 2> dx,
                                  Out<T, 3> shares) {
  for_block(weight.size(), [&](int64 column) {
    affine_bwd_share(dy, x, weight, dx, shares, int64(blockIdx.x), column);
  });
}

template <class T>
__global__ void affine_bwd_totals(In<T, 3> shares, Out<T> dweight, Out<T> dbias) {
  for (int64 i = thread_index(); i < dweight.size(); i += thread_count()) {
    affine_bwd_total(shares, dweight, dbias, i);
  }
}

struct affine_bwd {
  static constexpr auto signature =
      "affine_bwd<T: float32, float64>(dy: T(...,n), x: T(...,n), weight: "
      "T(n), bias: T(n)?) -> "
      "dx: T(...,n), dweight: T(n), dbias: T(n)";
  static constexpr auto doc = "The gradients of `affine`.";

  template <class T>
  static void gpu(Call &call, In<T, 2> dy, In<T, 2> x, In<T> weight, In<T>, Out<T, 2> dx,
                  Out<T> dweight, Out<T> dbias) {
    const int64 n = weight.size(), blocks = std::min<int64>(x.size(0), 512);
    Out<T, 3> shares = call.scratch<T>(blocks, 2, n);
    call.launch<affine_bwd_shares<T>>(Grid(blocks, 256), dy, x, weight, dx, shares);
    call.launch<affine_bwd_totals<T>>(threads_for(n), shares, dweight, dbias);
  }

  template <class T>
  static void cpu(Call &call, In<T, 2> dy, In<T, 2> x, In<T> weight, In<T>, Out<T, 2> dx,
                  Out<T> dweight, Out<T> dbias) {
    const int64 n = weight.size();
    Out<T, 3> shares = call.scratch<T>(std::min<int64>(x.size(0), 64), 2, n);
    parallel(shares.size(0) * n,
             [=](int64 i) { affine_bwd_share(dy, x, weight, dx, shares, i / n, i % n); });
    parallel(n, [=](int64 i) { affine_bwd_total(In<T, 3>(shares), dweight, dbias, i); });
  }
};
CUVEC_EXPORT(affine_bwd);
