#include <cuvec.h>

using namespace cuvec;

/// An element of a row, and where it is.
template <class T> struct Placed {
  T value;
  int64 at;
};
struct Largest {
  template <class T> __host__ __device__ Placed<T> operator()(Placed<T> a, Placed<T> b) const {
    return b.value > a.value || (b.value == a.value && b.at < a.at) ? b : a;
  }
};

/// Partial results of a row, from the elements that one of so many lanes has.
template <class T> struct Facts {
  T low, high;
  Placed<T> first;
  int64 positive = 0;

  __host__ __device__ Facts(In<T, 2> x, int64 row, int64 lane, int64 lanes)
      : low(x(row, 0)), high(low), first{low, 0} {
    for (int64 j = lane; j < x.size(1); j += lanes) {
      const T value = x(row, j);
      low = smaller(low, value);
      high = larger(high, value);
      first = Largest()(first, {value, j});
      positive += value > T(0) ? 1 : 0;
    }
  }
};

template <class T>
__global__ void warp_facts_of(In<T, 2> x, Out<T> low, Out<T> high, Out<int64> first,
                              Out<int64> positive) {
  for (int64 row = thread_index() / 32; row < x.size(0); row += thread_count() / 32) {
    const Facts<T> mine(x, row, threadIdx.x % 32, 32);
    const T least = warp_min(mine.low), most = warp_max(mine.high);
    const Placed<T> best = warp_reduce(mine.first, Largest());
    const int64 count = warp_sum(mine.positive);
    if (threadIdx.x % 32 == 0) {
      low[row] = least;
      high[row] = most;
      first[row] = best.at;
      positive[row] = count;
    }
  }
}

struct warp_facts {
  static constexpr auto signature =
      "warp_facts<T: int8, uint8, int32, int64, float16, bfloat16, float32, float64>(x: T(m, n)) "
      "-> low: T(m), high: T(m), first: int64(m), positive: int64(m)";
  static constexpr auto doc = "The smallest and the largest element of each row, the first place "
                              "of the largest, and how many are positive.";

  static void check(int64 n) {
    if (n == 0) {
      throw std::invalid_argument("x has rows without elements");
    }
  }
  template <class T>
  static void gpu(Call &call, In<T, 2> x, Out<T> low, Out<T> high, Out<int64> first,
                  Out<int64> positive) {
    check(x.size(1));
    call.launch<warp_facts_of<T>>(threads_for(32 * x.size(0), 128, 64), x, low, high, first,
                                  positive);
  }
  template <class T>
  static void cpu(In<T, 2> x, Out<T> low, Out<T> high, Out<int64> first, Out<int64> positive) {
    check(x.size(1));
    for (int64 row = 0; row < x.size(0); ++row) {
      const Facts<T> all(x, row, 0, 1);
      low[row] = all.low;
      high[row] = all.high;
      first[row] = all.first.at;
      positive[row] = all.positive;
    }
  }
};
CUVEC_EXPORT(warp_facts);
