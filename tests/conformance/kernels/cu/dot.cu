#include <cuvec.h>

using namespace cuvec;

// Each block adds up its share, then one block adds up the shares: always in the same order.
template <class T> __global__ void dot_shares(In<T> x, In<T> y, Out<Sum> shares) {
  Sum sum; // loses nothing on the way
  for_each(x, y, [&](T a, T b) { sum.add_product(a, b); });
  if (const Sum share = block_sum(sum); threadIdx.x == 0) {
    shares[blockIdx.x] = share;
  }
}

__global__ void dot_total(In<Sum> shares, Out<double, 0> total) {
  Sum sum;
  for_block(shares.size(), [&](int64 i) { sum += shares[i]; });
  if (const Sum all = block_sum(sum); threadIdx.x == 0) {
    *total = all;
  }
}

struct dot {
  static constexpr auto signature = "dot<T: float32, float64>(x: T(...), y: T(...)) -> float64";
  static constexpr auto doc = R"(Sum of the products of the elements of `x` and `y`.

Sums are carried in float64 or better, and equal input gives equal bits.

x, y: vectors, or arrays of one shape)";

  template <class T> static void gpu(Call &call, In<T> x, In<T> y, Out<double, 0> total) {
    const Grid grid = threads_for(x.size() / 4, 256, 2048);
    Out<Sum> shares = call.scratch<Sum>(grid.blocks.x);
    call.launch<dot_shares<T>>(grid, x, y, shares);
    call.launch<dot_total>(Grid(1, 1024), shares, total);
  }

  template <class T> static void cpu(In<T> x, In<T> y, Out<double, 0> total) {
    *total = parallel_sum(x.size(), [=](int64 i) { return double(x[i]) * double(y[i]); });
  }
};
CUVEC_EXPORT(dot);
