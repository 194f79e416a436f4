#include <cuvec.h>

using namespace cuvec;

template <class T> __host__ __device__ int64 nearest(In<T, 2> x, In<T, 2> center, int64 i) {
  int64 best = 0;
  T least = INFINITY;
  for (int64 k = 0; k < center.size(0); ++k) {
    T distance = 0;
    for (int64 d = 0; d < x.size(1); ++d) {
      distance += (x(i, d) - center(k, d)) * (x(i, d) - center(k, d));
    }
    if (distance < least) {
      least = distance;
      best = k;
    }
  }
  return best;
}

template <class T>
__global__ void kmeans_points(In<T, 2> x, In<T, 2> center, Out<int64> label, Out<T, 2> total,
                              Out<int64> count) {
  for (int64 i = thread_index(); i < label.size(); i += thread_count()) {
    const int64 k = label[i] = nearest(x, center, i);
    atomic_add(count[k], int64(1));
    for (int64 d = 0; d < x.size(1); ++d) {
      atomic_add(total(k, d), x(i, d));
    }
  }
}

struct kmeans {
  static constexpr auto signature = "kmeans<T: float32, float64>(x: T(n,d), center: T(k,d)) -> "
                                    "label: int64(n), total: T(k,d), count: int64(k)";
  static constexpr auto doc = "Return the nearest center of each point, the sum of the points of "
                              "each center, and how many these are.";

  template <class T>
  static void gpu(Call &call, In<T, 2> x, In<T, 2> center, Out<int64> label, Out<T, 2> total,
                  Out<int64> count) {
    call.zero(total);
    call.zero(count);
    call.launch<kmeans_points<T>>(threads_for(label.size()), x, center, label, total, count);
  }

  template <class T>
  static void cpu(Call &call, In<T, 2> x, In<T, 2> center, Out<int64> label, Out<T, 2> total,
                  Out<int64> count) {
    call.zero(total);
    call.zero(count);
    parallel(label.size(), [=](int64 i) { label[i] = nearest(x, center, i); }, 64);
    for (int64 i = 0; i < label.size(); ++i) {
      ++count[label[i]];
      for (int64 d = 0; d < x.size(1); ++d) {
        total(label[i], d) += x(i, d);
      }
    }
  }
};
CUVEC_EXPORT(kmeans);
