#include <cuvec.h>

using namespace cuvec;

constexpr int MATMUL_TILE = 16;

// A block for each tile of `c`; the tiles of `a` and `b` that it needs go through shared memory.
template <class T> __global__ void matmul_tile(In<T, 2> a, In<T, 2> b, Out<T, 2> c) {
  constexpr int N = MATMUL_TILE;
  T *left = shared_memory<T>(), *right = left + N * N;
  const int across = int(threadIdx.x), down = int(threadIdx.y);
  const int64 i = int64(blockIdx.y) * N + down, j = int64(blockIdx.x) * N + across;
  T total = 0;
  for (int64 first = 0; first < a.size(1); first += N) {
    const int64 column = first + across, row = first + down;
    left[down * N + across] = i < a.size(0) && column < a.size(1) ? a(i, column) : T(0);
    right[down * N + across] = row < b.size(0) && j < b.size(1) ? b(row, j) : T(0);
    __syncthreads();
    for (int k = 0; k < N; ++k) {
      total += left[down * N + k] * right[k * N + across];
    }
    __syncthreads();
  }
  if (i < c.size(0) && j < c.size(1)) {
    c(i, j) = total;
  }
}

struct matmul {
  static constexpr auto signature =
      "matmul<T: float32, float64>(a: T(m,k), b: T(k,n)) -> c: T(m,n)";
  static constexpr auto doc = "Return the product of two matrices.";

  template <class T> static void gpu(Call &call, In<T, 2> a, In<T, 2> b, Out<T, 2> c) {
    constexpr int N = MATMUL_TILE;
    const dim3 blocks(unsigned((c.size(1) + N - 1) / N), unsigned((c.size(0) + N - 1) / N));
    call.launch<matmul_tile<T>>(Grid(blocks, dim3(N, N), 2 * N * N * sizeof(T)), a, b, c);
  }

  template <class T> static void cpu(Call &call, In<T, 2> a, In<T, 2> b, Out<T, 2> c) {
    call.zero(c);
    const auto matmul_row = [=](int64 i) {
      for (int64 k = 0; k < a.size(1); ++k) {
        for (int64 j = 0; j < c.size(1); ++j) {
          c(i, j) += a(i, k) * b(k, j);
        }
      }
    };
    parallel(c.size(0), matmul_row, 4);
  }
};
CUVEC_EXPORT(matmul);
