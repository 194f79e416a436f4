#include <cuvec.h>

using namespace cuvec;

__host__ __device__ inline void sign(In<float> x, AtMost<int64> below, AtMost<int64> above,
                                     int64 i) {
  if (x[i] < 0) {
    below.push(i);
  } else if (x[i] > 0) {
    above.push(i);
  }
}

__global__ void signs_kernel(In<float> x, AtMost<int64> below, AtMost<int64> above,
                             Out<int64, 0> size) {
  for (int64 i = thread_index(); i < x.size(); i += thread_count()) {
    sign(x, below, above, i);
  }
  if (thread_index() == 0) {
    *size = x.size();
  }
}

struct signs {
  static constexpr auto signature = "signs(x: float32(n)) -> below: int64(at most n), "
                                    "above: int64(at most n), size: int64";
  static constexpr auto doc = "Where `x` is negative, where positive, and its size.";

  static void gpu(Call &call, In<float> x, AtMost<int64> below, AtMost<int64> above,
                  Out<int64, 0> size) {
    call.launch<signs_kernel>(threads_for(x.size()), x, below, above, size);
  }
  static void cpu(In<float> x, AtMost<int64> below, AtMost<int64> above, Out<int64, 0> size) {
    parallel(x.size(), [=](int64 i) { sign(x, below, above, i); });
    *size = x.size();
  }
};
CUVEC_EXPORT(signs);
