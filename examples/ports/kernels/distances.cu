#include <cuvec.h>

#include <cmath>

using namespace cuvec;

template <class T> __host__ __device__ T distance(In<T, 2> points, int64 i, int64 j) {
  T sum = 0;
  for (int64 k = 0; k < points.size(1); ++k) {
    const T difference = points(i, k) - points(j, k);
    sum += difference * difference;
  }
  return std::sqrt(sum);
}

template <class T> __global__ void distances_pairs(In<T, 2> points, Out<T, 2> result) {
  const int64 n = points.size(0);
  for (int64 k = thread_index(); k < n * n; k += thread_count()) {
    result[k] = distance(points, k / n, k % n);
  }
}

struct distances {
  static constexpr auto signature = "distances<T: float32, float64>(points: T(n,axes)) -> T(n,n)";
  static constexpr auto doc = "Distances between all pairs of `points`, each a row.";

  template <class T> static void gpu(Call &call, In<T, 2> points, Out<T, 2> result) {
    call.launch<distances_pairs<T>>(threads_for(result.size()), points, result);
  }

  template <class T> static void cpu(In<T, 2> points, Out<T, 2> result) {
    const int64 n = points.size(0);
    parallel(result.size(), [=](int64 k) { result[k] = distance(points, k / n, k % n); }, 1024);
  }
};
CUVEC_EXPORT(distances);
