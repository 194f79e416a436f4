#include <cuvec.h>

using namespace cuvec;

// The center that is nearest to a point; the point is added to its total.
template <class T>
__host__ __device__ int64 add_point(int64 i, In<T, 2> x, In<T, 2> center, Out<T, 2> total,
                                    Out<int64> count) {
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
  atomic_add(count[best], int64(1));
  for (int64 d = 0; d < x.size(1); ++d) {
    atomic_add(total(best, d), x(i, d));
  }
  return best;
}

struct kmeans {
  static constexpr auto signature = "kmeans<T: float32, float64>(x: T(n,d), center: T(k,d)) -> "
                                    "label: int64(n), total: T(k,d), count: int64(k)";
  static constexpr auto doc = "Return the nearest center of each point, the sum of the points of "
                              "each center, and how many these are.";

  template <class T>
  static void passes(Call &call, In<T, 2> x, In<T, 2> center, Out<int64> label, Out<T, 2> total,
                     Out<int64> count) {
    call.zero(total);
    call.zero(count);
    call.each<add_point<T>>(label, x, center, total, count);
  }
};
CUVEC_EXPORT(kmeans);
