#include <cuvec.h>

using namespace cuvec;

template <class T>
__host__ __device__ void add_weight(int64 i, KernelCall call, In<int64> bin, In<T> weight,
                                    Out<T> total) {
  call.fail_if(bin[i] < 0 || bin[i] >= total.size(), "bin is out of range", bin[i]);
  atomic_add(total[bin[i]], weight[i]);
}

struct weighted_histogram {
  static constexpr auto signature = "weighted_histogram<T: float32, float64>(bin: int64(n), "
                                    "weight: T(n), bins: int64) -> total: T(bins)";
  static constexpr auto doc = "Return the sum of the weights in each bin.";

  template <class T>
  static void passes(Call &call, In<int64> bin, In<T> weight, int64, Out<T> total) {
    call.zero(total);
    call.each<add_weight<T>>(bin, call, bin, weight, total);
  }
};
CUVEC_EXPORT(weighted_histogram);
