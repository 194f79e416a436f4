#include <cuvec.h>

using namespace cuvec;

// A block for each row; every thread adds up its part, the first thread the parts.
template <class T> __global__ void scan_row(In<T, 2> x, Out<T, 2> y) {
  auto *parts = shared_memory<T>();
  const int64 row = blockIdx.x, n = x.size(1), length = (n + blockDim.x - 1) / blockDim.x;
  const int64 begin = threadIdx.x * length, end = begin + length < n ? begin + length : n;
  T sum = 0;
  for (int64 i = begin; i < end; ++i) {
    sum += x(row, i);
  }
  parts[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    T before = 0;
    for (unsigned t = 0; t < blockDim.x; ++t) {
      const T part = parts[t];
      parts[t] = before;
      before += part;
    }
  }
  __syncthreads();
  sum = parts[threadIdx.x];
  for (int64 i = begin; i < end; ++i) {
    y(row, i) = sum += x(row, i);
  }
}

struct scan {
  static constexpr auto signature = "scan<T: float32, float64, int64>(x: T(...,n)) -> y: T(...,n)";
  static constexpr auto doc = "Return the cumulative sums of each row.";

  template <class T> static void gpu(Call &call, In<T, 2> x, Out<T, 2> y) {
    call.launch<scan_row<T>>(Grid(x.size(0), 256, 256 * sizeof(T)), x, y);
  }

  template <class T> static void cpu(In<T, 2> x, Out<T, 2> y) {
    const auto scan_row = [=](int64 row) {
      T sum = 0;
      for (int64 i = 0; i < x.size(1); ++i) {
        y(row, i) = sum += x(row, i);
      }
    };
    parallel(x.size(0), scan_row, 16);
  }
};
CUVEC_EXPORT(scan);
