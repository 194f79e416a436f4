#include <cuvec.h>

using namespace cuvec;

// The bin of `value` between 0 and 1, or -1 if it is beyond.
__host__ __device__ inline int64 bin_of(float value, int64 bins) {
  const auto bin = value >= 0 && value <= 1 ? int64(value * float(bins)) : -1;
  return bin < bins ? bin : bins - 1;
}

__global__ void joint_histogram_count(In<float> a, In<float> b, Out<int64, 2> counts) {
  for (int64 k = thread_index(); k < a.size(); k += thread_count()) {
    const int64 i = bin_of(a[k], counts.size(0)), j = bin_of(b[k], counts.size(1));
    if (i >= 0 && j >= 0) {
      atomic_add(counts(i, j), int64(1));
    }
  }
}

// The result may be in the memory of the host, where it takes long to add to it.
__global__ void joint_histogram_result(In<int64, 2> counted, Out<int64, 2> counts) {
  for (int64 k = thread_index(); k < counts.size(); k += thread_count()) {
    counts[k] = counted[k];
  }
}

struct joint_histogram {
  static constexpr auto signature =
      "joint_histogram(a: float32(...), b: float32(...), bins: int64 = 64) -> int64(bins,bins)";
  static constexpr auto doc =
      R"(How often `a` and `b` have which values at the same place: in `bins` equal parts of 0 to 1.)";

  static void gpu(Call &call, In<float> a, In<float> b, int64 bins, Out<int64, 2> counts) {
    Out<int64, 2> counted = call.scratch<int64>(bins, bins);
    call.zero(counted);
    call.launch<joint_histogram_count>(threads_for(a.size()), a, b, counted);
    call.launch<joint_histogram_result>(threads_for(counts.size()), counted, counts);
  }

  static void cpu(Call &call, In<float> a, In<float> b, int64 bins, Out<int64, 2> counts) {
    call.zero(counts);
    for (int64 k = 0; k < a.size(); ++k) {
      const int64 i = bin_of(a[k], bins), j = bin_of(b[k], bins);
      if (i >= 0 && j >= 0) {
        ++counts(i, j);
      }
    }
  }
};
CUVEC_EXPORT(joint_histogram);
