#include <cuvec.h>

using namespace cuvec;

/// Every block reduces its share, and then changes the two results, which have the first element.
template <class T> __global__ void extremes_all(In<T> x, Out<T, 0> low, Out<T, 0> high) {
  T least = x[0], most = x[0];
  for (int64 i = thread_index(); i < x.size(); i += thread_count()) {
    least = smaller(least, x[i]);
    most = larger(most, x[i]);
  }
  least = block_min(least);
  most = block_max(most);
  if (threadIdx.x == 0) {
    atomic_min(*low, least);
    atomic_max(*high, most);
  }
}
template <class T> __global__ void extremes_first(In<T> x, Out<T, 0> low, Out<T, 0> high) {
  *low = *high = x[0];
}

struct extremes {
  static constexpr auto signature =
      "extremes<T: int8, uint8, int16, int32, uint32, int64, uint64, float16, bfloat16, float32, "
      "float64>(x: T(n)) -> low: T, high: T";
  static constexpr auto doc =
      "The smallest and the largest element, or not a number if one is not.";

  template <class T> static void gpu(Call &call, In<T> x, Out<T, 0> low, Out<T, 0> high) {
    call.launch<extremes_first<T>>(Grid(1, 1), x, low, high);
    call.launch<extremes_all<T>>(threads_for(x.size(), 256, 64), x, low, high);
  }
  template <class T> static void cpu(In<T> x, Out<T, 0> low, Out<T, 0> high) {
    *low = *high = x[0];
    for (int64 i = 1; i < x.size(); ++i) {
      *low = smaller(*low, x[i]);
      *high = larger(*high, x[i]);
    }
  }
};
CUVEC_EXPORT(extremes);
