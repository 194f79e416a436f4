#include <cuvec.h>

using namespace cuvec;

template <class T> __global__ void tally_all(In<int64> index, In<T> values, Out<T> sums) {
  for (int64 i = thread_index(); i < index.size(); i += thread_count()) {
    atomic_add(sums[index[i]], values[i]);
  }
}

struct tally {
  static constexpr auto signature = "tally<T: int8, uint8, int16, uint16, int32, uint32, int64, "
                                    "uint64, float16, bfloat16, float32, "
                                    "float64, complex64, complex128>(index: int64(n), values: "
                                    "T(n), bins: int64) -> sums: T(bins)";
  static constexpr auto doc = "The sums of the values that have the same index.";

  template <class T>
  static void gpu(Call &call, In<int64> index, In<T> values, int64 /*bins*/, Out<T> sums) {
    call.zero(sums);
    call.launch<tally_all<T>>(threads_for(index.size()), index, values, sums);
  }
  template <class T>
  static void cpu(Call &call, In<int64> index, In<T> values, int64 /*bins*/, Out<T> sums) {
    call.zero(sums);
    parallel(index.size(), [=](int64 i) { atomic_add(sums[index[i]], values[i]); });
  }
};
CUVEC_EXPORT(tally);
