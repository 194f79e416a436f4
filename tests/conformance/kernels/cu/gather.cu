#include <cuvec.h>

using namespace cuvec;

template <class T> __host__ __device__ T one_of(KernelCall call, In<T> x, int64 index) {
  call.fail_if(index < 0 || index >= x.size(), "index is out of range", index);
  return x[index];
}

template <class T> __global__ void gather_all(KernelCall call, In<T> x, In<int64> index, Out<T> y) {
  for (int64 i = thread_index(); i < y.size(); i += thread_count()) {
    y[i] = one_of(call, x, index[i]);
  }
}

struct gather {
  static constexpr auto signature =
      "gather<T: float32, float64>(x: T(n), index: int64(m)) -> y: T(m)";
  static constexpr auto doc = "Return the elements of `x` that `index` names.";

  template <class T> static void gpu(Call &call, In<T> x, In<int64> index, Out<T> y) {
    call.launch<gather_all<T>>(threads_for(y.size()), call, x, index, y);
  }
  template <class T> static void cpu(Call &call, In<T> x, In<int64> index, Out<T> y) {
    parallel(y.size(), [=](int64 i) { y[i] = one_of<T>(call, x, index[i]); });
  }
};
CUVEC_EXPORT(gather);
