#include <cuvec.h>

using namespace cuvec;

// The image between its pixels; beyond the edges is what is at the edge.
template <class T> __host__ __device__ T pixel_between(In<T, 2> image, T y, T x) {
  const T down = T(image.size(0) - 1), right = T(image.size(1) - 1);
  y = y < 0 ? T(0) : y < down ? y : down;
  x = x < 0 ? T(0) : x < right ? x : right;
  const auto i = int64(y), j = int64(x);
  const int64 below = i + 1 < image.size(0) ? i + 1 : i, beside = j + 1 < image.size(1) ? j + 1 : j;
  const T v = y - T(i), u = x - T(j);
  return (1 - v) * ((1 - u) * image(i, j) + u * image(i, beside)) +
         v * ((1 - u) * image(below, j) + u * image(below, beside));
}

template <class T> __global__ void bilinear_points(In<T, 2> image, In<T, 2> at, Out<T> value) {
  for (int64 i = thread_index(); i < value.size(); i += thread_count()) {
    value[i] = pixel_between(image, at(i, 0), at(i, 1));
  }
}

struct bilinear {
  static constexpr auto signature =
      "bilinear<T: float32, float64>(image: T(h,w), at: T(n,2)) -> value: T(n)";
  static constexpr auto doc = "Return the image at the places (y, x), interpolated.";

  template <class T> static void gpu(Call &call, In<T, 2> image, In<T, 2> at, Out<T> value) {
    call.launch<bilinear_points<T>>(threads_for(value.size()), image, at, value);
  }

  template <class T> static void cpu(In<T, 2> image, In<T, 2> at, Out<T> value) {
    parallel(value.size(), [=](int64 i) { value[i] = pixel_between(image, at(i, 0), at(i, 1)); });
  }
};
CUVEC_EXPORT(bilinear);
