#include <cuvec.h>

using namespace cuvec;

// The mean of elements along an axis, with the weights exp(-k² / 2 sigma²). Beyond the edges is
// what is at the edge.
template <class T, int axis>
__host__ __device__ T blurred(int64, int64, Edge<T, 2> x, double sigma) {
  const auto at = [&](int64 k) { return axis == 0 ? x.near(k, 0) : x.near(0, k); };
  // A weight is the one before times an odd power of the first.
  const T first = T(exp(-0.5 / (sigma * sigma))), square = first * first;
  T weight = first, ratio = first, sum = at(0), weights = 1;
  const auto radius = int64(ceil(3 * sigma));
  for (int64 k = 1; k <= radius; ++k) {
    sum += weight * (at(-k) + at(k));
    weights += 2 * weight;
    ratio *= square;
    weight *= ratio;
  }
  return sum / weights;
}

struct blur {
  static constexpr auto signature = "blur<T: float32, float64>(image: T(height, width), *, "
                                    "sigma: float64 = 1) -> result: T(height, width)";
  static constexpr auto doc =
      "Return `image` blurred by a Gaussian of width `sigma`, cut at 3 sigma.";

  template <class T>
  static void passes(Call &call, In<T, 2> image, double sigma, Out<T, 2> result) {
    if (!(sigma > 0 && sigma < 1e6)) {
      throw std::invalid_argument("sigma must be positive and below 1e6");
    }
    Out<T, 2> rows = call.scratch<T>(image.size(0), image.size(1));
    call.each<blurred<T, 1>>(rows, image, sigma);
    call.each<blurred<T, 0>>(result, rows, sigma);
  }
};
CUVEC_EXPORT(blur);
