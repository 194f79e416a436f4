#include <cuvec.h>

using namespace cuvec;

// The image between its pixels; beyond the edges is what is at the edge.
template <class T> __host__ __device__ T pixel_between(int64 place, In<T, 2> image, In<T, 2> at) {
  T y = at(place, 0), x = at(place, 1);
  const T down = T(image.size(0) - 1), right = T(image.size(1) - 1);
  y = y < 0 ? T(0) : y < down ? y : down;
  x = x < 0 ? T(0) : x < right ? x : right;
  const auto i = int64(y), j = int64(x);
  const int64 below = i + 1 < image.size(0) ? i + 1 : i, beside = j + 1 < image.size(1) ? j + 1 : j;
  const T v = y - T(i), u = x - T(j);
  return (1 - v) * ((1 - u) * image(i, j) + u * image(i, beside)) +
         v * ((1 - u) * image(below, j) + u * image(below, beside));
}

struct bilinear {
  static constexpr auto signature =
      "bilinear<T: float32, float64>(image: T(h,w), at: T(n,2)) -> value: T(n)";
  static constexpr auto doc = "Return the image at the places (y, x), interpolated.";

  template <class T> static void passes(Call &call, In<T, 2> image, In<T, 2> at, Out<T> value) {
    call.each<pixel_between<T>>(value, image, at);
  }
};
CUVEC_EXPORT(bilinear);
