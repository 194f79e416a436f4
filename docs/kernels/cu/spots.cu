#include <cuvec.h>

using namespace cuvec;

template <class T>
__host__ __device__ void spot(In<T> x, T threshold, AtMost<int64> index, AtMost<T> height,
                              int64 i) {
  if (x[i] > threshold) {
    const int64 at = index.next(); // where the pair is, in both arrays
    height.next();
    if (at < index.size()) {
      index[at] = i;
      height[at] = x[i];
    }
  }
}

template <class T>
__global__ void spots_kernel(In<T> x, T threshold, AtMost<int64> index, AtMost<T> height) {
  for (int64 i = thread_index(); i < x.size(); i += thread_count()) {
    spot<T>(x, threshold, index, height, i);
  }
}

struct spots {
  static constexpr auto signature = R"(spots<T: float32, float64>(x: T(n), threshold: T)
      -> index: int64(at most n), height: T(at most n))";
  static constexpr auto doc = "Where `x` is above a threshold, and what it is there, in no order.";

  template <class T>
  static void gpu(Call &call, In<T> x, T threshold, AtMost<int64> index, AtMost<T> height) {
    call.launch<spots_kernel<T>>(threads_for(x.size()), x, threshold, index, height);
  }
  template <class T> static void cpu(In<T> x, T threshold, AtMost<int64> index, AtMost<T> height) {
    parallel(x.size(), [=](int64 i) { spot<T>(x, threshold, index, height, i); });
  }
};
CUVEC_EXPORT(spots);
