#include <cuvec.h>

using namespace cuvec;

// One pixel, blurred along its row (0) or its column (1); pixels of the border are repeated.
template <class T>
__host__ __device__ T blurred(In<T, 2> image, int64 i, int64 j, int axis, double sigma) {
  const auto radius = int64(ceil(3 * sigma));
  T sum = 0, weights = 0;
  for (int64 d = -radius; d <= radius; ++d) {
    int64 at[] = {i, j};
    at[1 - axis] += d;
    for (int k = 0; k < 2; ++k) {
      at[k] = at[k] < 0 ? 0 : at[k] < image.size(k) ? at[k] : image.size(k) - 1;
    }
    const auto weight = T(exp(-0.5 * double(d * d) / (sigma * sigma)));
    sum += weight * image(at[0], at[1]);
    weights += weight;
  }
  return sum / weights;
}

template <class T>
__global__ void blur_pass(In<T, 2> image, int axis, double sigma, Out<T, 2> result) {
  const int64 k = thread_index(), width = image.size(1);
  if (k < image.size()) {
    result[k] = blurred(image, k / width, k % width, axis, sigma);
  }
}

struct blur {
  static constexpr auto signature = "blur<T: float32, float64>(image: T(height, width), *, "
                                    "sigma: float64 = 1) -> result: T(height, width)";
  static constexpr auto doc =
      "Return `image` blurred by a Gaussian of width `sigma`, cut at 3 sigma.";

  template <class T> static void gpu(Call &call, In<T, 2> image, double sigma, Out<T, 2> result) {
    check(sigma);
    Out<T, 2> rows = call.scratch<T>(image.size(0), image.size(1));
    call.launch<blur_pass<T>>(threads_for(image.size()), image, 0, sigma, rows);
    call.launch<blur_pass<T>>(threads_for(image.size()), rows, 1, sigma, result);
  }

  template <class T> static void cpu(Call &call, In<T, 2> image, double sigma, Out<T, 2> result) {
    check(sigma);
    Out<T, 2> rows = call.scratch<T>(image.size(0), image.size(1));
    const int64 width = image.size(1);
    parallel(
        image.size(), [=](int64 k) { rows[k] = blurred(image, k / width, k % width, 0, sigma); },
        1024);
    parallel(
        image.size(),
        [=](int64 k) { result[k] = blurred<T>(rows, k / width, k % width, 1, sigma); }, 1024);
  }

  static void check(double sigma) {
    if (!(sigma > 0 && sigma < 1e6)) {
      throw std::invalid_argument("sigma must be positive and below 1e6");
    }
  }
};
CUVEC_EXPORT(blur);
