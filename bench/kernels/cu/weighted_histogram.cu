#include <cuvec.h>

using namespace cuvec;

template <class T>
__global__ void add_weights(KernelCall call, In<int64> bin, In<T> weight, Out<T> total) {
  for (int64 i = thread_index(); i < bin.size(); i += thread_count()) {
    call.fail_if(bin[i] < 0 || bin[i] >= total.size(), "bin is out of range", bin[i]);
    atomic_add(total[bin[i]], weight[i]);
  }
}

struct weighted_histogram {
  static constexpr auto signature = "weighted_histogram<T: float32, float64>(bin: int64(n), "
                                    "weight: T(n), bins: int64) -> total: T(bins)";
  static constexpr auto doc = "Return the sum of the weights in each bin.";

  template <class T> static void gpu(Call &call, In<int64> bin, In<T> weight, int64, Out<T> total) {
    call.zero(total);
    call.launch<add_weights<T>>(threads_for(bin.size()), call, bin, weight, total);
  }

  template <class T>
  static void cpu(Call &call, In<int64> bin, In<T> weight, int64 bins, Out<T> total) {
    call.zero(total);
    for (int64 i = 0; i < bin.size(); ++i) {
      call.fail_if(bin[i] < 0 || bin[i] >= bins, "bin is out of range", bin[i]);
      total[bin[i]] += weight[i];
    }
  }
};
CUVEC_EXPORT(weighted_histogram);
