#include <cuvec.h>

using namespace cuvec;

__host__ __device__ inline double gaussian(int64 distance, double sigma) {
  return exp(-0.5 * double(distance * distance) / (sigma * sigma));
}

// One pixel, blurred along its column (axis 0) or its row (axis 1); beyond the image there is
// nothing. `weights` are for the distances 0, 1, 2 …
template <class T> __host__ __device__ T blurred(In<T, 2> image, In<T> weights, int64 k, int axis) {
  const int64 columns = image.size(1), count = image.size(axis);
  const int64 index = axis == 0 ? k / columns : k % columns, stride = axis == 0 ? columns : 1;
  T sum = weights[0] * image[k], total = weights[0];
  for (int64 d = 1; d < weights.size(); ++d) {
    sum += index - d >= 0 ? weights[d] * image[k - d * stride] : 0;
    sum += index + d < count ? weights[d] * image[k + d * stride] : 0;
    total += 2 * weights[d];
  }
  return sum / total;
}

template <class T> __global__ void blur_weights(double sigma, Out<T> weights) {
  for_block(weights.size(), [&](int64 d) { weights[d] = T(gaussian(d, sigma)); });
}

template <class T>
__global__ void blur_pass(In<T, 2> image, In<T> weights, int axis, Out<T, 2> result) {
  for (int64 k = thread_index(); k < image.size(); k += thread_count()) {
    result[k] = blurred(image, weights, k, axis);
  }
}

struct blur {
  static constexpr auto signature =
      "blur<T: float32, float64>(image: T(rows,columns), sigma: float64) -> T(rows,columns)";
  static constexpr auto doc =
      R"(`image` under a Gaussian of width `sigma`, in pixels, cut at 4 sigma.

Beyond the image there is nothing, so this is its own adjoint.)";

  template <class T> static void gpu(Call &call, In<T, 2> image, double sigma, Out<T, 2> result) {
    Out<T> weights = call.scratch<T>(reach(sigma));
    Out<T, 2> columns = call.scratch<T>(image.size(0), image.size(1));
    const Grid grid = threads_for(image.size());
    call.launch<blur_weights<T>>(Grid(1, 128), sigma, weights);
    call.launch<blur_pass<T>>(grid, image, weights, 0, columns);
    call.launch<blur_pass<T>>(grid, columns, weights, 1, result);
  }

  template <class T> static void cpu(Call &call, In<T, 2> image, double sigma, Out<T, 2> result) {
    Out<T> weights = call.scratch<T>(reach(sigma));
    Out<T, 2> columns = call.scratch<T>(image.size(0), image.size(1));
    for (int64 d = 0; d < weights.size(); ++d) {
      weights[d] = T(gaussian(d, sigma));
    }
    parallel(image.size(), [=](int64 k) { columns[k] = blurred<T>(image, weights, k, 0); }, 1024);
    parallel(image.size(), [=](int64 k) { result[k] = blurred<T>(columns, weights, k, 1); }, 1024);
  }

  // Weights that there are: of the distances 0 to 4 sigma.
  static int64 reach(double sigma) {
    if (!(sigma > 0 && sigma < 1e4)) {
      throw std::invalid_argument("sigma must be positive and below 1e4");
    }
    return int64(4 * sigma) + 1;
  }
};
CUVEC_EXPORT(blur);
