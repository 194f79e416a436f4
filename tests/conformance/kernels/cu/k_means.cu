#include <cuvec.h>

using namespace cuvec;

template <class T> __host__ __device__ int64 nearest(int64 i, In<T, 2> points, In<T, 2> centers) {
  int64 best = 0;
  T least = INFINITY;
  for (int64 c = 0; c < centers.size(0); ++c) {
    T sum = 0;
    for (int64 j = 0; j < points.size(1); ++j) {
      const T apart = points(i, j) - centers(c, j);
      sum += apart * apart;
    }
    best = sum < least ? c : best;
    least = sum < least ? sum : least;
  }
  return best;
}

__host__ __device__ inline int64 count(Row &row, int64 c, In<int64> labels) {
  return row.sum([=](int64 i) { return int64(labels[i] == c); });
}

template <class T>
__host__ __device__ T mean(Row &row, int64 c, int64 j, In<T, 2> points, In<T, 2> centers,
                           In<int64> labels, In<int64> counts) {
  const T sum = row.sum([=](int64 i) { return labels[i] == c ? points(i, j) : T(0); });
  return counts[c] == 0 ? centers(c, j) : sum / T(counts[c]);
}

struct k_means {
  static constexpr auto signature = "k_means<T: float32, float64>(points: T(n, d), "
                                    "centers: T(k, d)) -> labels: int64(n), moved: T(k, d)";
  static constexpr auto doc = "Return to which center each point is nearest, and the centers of "
                              "those points; one without points stays.";

  template <class T>
  static void passes(Call &call, In<T, 2> points, In<T, 2> centers, Out<int64> labels,
                     Out<T, 2> moved) {
    const auto counts = call.scratch<int64>(centers.size(0));
    call.each<nearest<T>>(labels, points, centers);
    call.each_row<count>(counts, labels.size(), labels);
    call.each_row<mean<T>>(moved, labels.size(), points, centers, labels, counts);
  }
};
CUVEC_EXPORT(k_means);
