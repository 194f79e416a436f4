#include <cuvec.h>

using namespace cuvec;

template <class T> __host__ __device__ T smooth_at(In<T> x, int64 i) {
  const T left = i > 0 ? x[i - 1] : x[i];
  const T right = i + 1 < x.size() ? x[i + 1] : x[i];
  return (left + x[i] + x[i] + right) / T(4);
}

template <class T> __global__ void smooth_once(In<T> x, Out<T> y) {
  for (int64 i = thread_index(); i < x.size(); i += thread_count()) {
    y[i] = smooth_at(x, i);
  }
}

struct smooth {
  static constexpr auto signature = "smooth<T: float32, float64>(x: T(...)) -> T(...)";
  static constexpr auto doc =
      "The elements with their neighbours, twice: two launches and scratch memory between them.";

  template <class T> static void gpu(Call &call, In<T> x, Out<T> y) {
    Out<T> once = call.scratch<T>(x.size());
    call.launch<smooth_once<T>>(threads_for(x.size()), x, once);
    call.launch<smooth_once<T>>(threads_for(x.size()), once, y);
  }
  template <class T> static void cpu(Call &call, In<T> x, Out<T> y) {
    Out<T> once = call.scratch<T>(x.size());
    parallel(x.size(), [=](int64 i) { once[i] = smooth_at<T>(x, i); });
    parallel(x.size(), [=](int64 i) { y[i] = smooth_at<T>(once, i); });
  }
};
CUVEC_EXPORT(smooth);
