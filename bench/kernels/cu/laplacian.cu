#include <cuvec.h>

using namespace cuvec;

// At the edges the neighbour that is missing is the element itself.
template <class T> __host__ __device__ T laplacian_at(In<T, 3> x, int64 at) {
  const int64 n[] = {x.size(0), x.size(1), x.size(2)};
  const int64 index[] = {at / n[2] / n[1], at / n[2] % n[1], at % n[2]};
  T sum = 0;
  int64 step = 1; // to the neighbour, in memory
  for (int axis = 2; axis >= 0; --axis) {
    sum += index[axis] > 0 ? x[at - step] - x[at] : T(0);
    sum += index[axis] + 1 < n[axis] ? x[at + step] - x[at] : T(0);
    step *= n[axis];
  }
  return sum;
}

template <class T> __global__ void laplacian_kernel(In<T, 3> x, Out<T, 3> y) {
  for (int64 at = thread_index(); at < y.size(); at += thread_count()) {
    y[at] = laplacian_at(x, at);
  }
}

struct laplacian {
  static constexpr auto signature = "laplacian<T: float32, float64>(x: T(a,b,c)) -> y: T(a,b,c)";
  static constexpr auto doc = "Return the sum of the differences to the six neighbours.";

  template <class T> static void gpu(Call &call, In<T, 3> x, Out<T, 3> y) {
    call.launch<laplacian_kernel<T>>(threads_for(y.size()), x, y);
  }

  template <class T> static void cpu(In<T, 3> x, Out<T, 3> y) {
    parallel(y.size(), [=](int64 at) { y[at] = laplacian_at(x, at); });
  }
};
CUVEC_EXPORT(laplacian);
