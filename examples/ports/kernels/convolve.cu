#include <cuvec.h>

#include <algorithm>

using namespace cuvec;

// Beyond the image there is nothing.
template <class T>
__global__ void convolve_pixels(In<T, 2> image, In<T, 2> weights, Out<T, 2> result) {
  const int64 rows = image.size(0), columns = image.size(1);
  for (int64 k = thread_index(); k < image.size(); k += thread_count()) {
    const int64 top = k / columns + weights.size(0) / 2, left = k % columns + weights.size(1) / 2;
    T sum = 0;
    for (int64 r = 0; r < weights.size(0); ++r) {
      for (int64 c = 0; c < weights.size(1); ++c) {
        const int64 i = top - r, j = left - c;
        if (i >= 0 && i < rows && j >= 0 && j < columns) {
          sum += weights(r, c) * image(i, j);
        }
      }
    }
    result[k] = sum;
  }
}

// Weight by weight, so that many pixels of the row are added to at once.
template <class T> void convolve_row(In<T, 2> image, In<T, 2> weights, int64 i, T *row) {
  const int64 columns = image.size(1);
  std::fill_n(row, columns, T(0));
  for (int64 r = 0; r < weights.size(0); ++r) {
    const int64 from = i + weights.size(0) / 2 - r;
    if (from < 0 || from >= image.size(0)) {
      continue;
    }
    for (int64 c = 0; c < weights.size(1); ++c) {
      const T weight = weights(r, c), *pixels = &image(from, 0);
      const int64 right = weights.size(1) / 2 - c;
      for (int64 j = std::max<int64>(0, -right); j < std::min(columns, columns - right); ++j) {
        row[j] += weight * pixels[j + right];
      }
    }
  }
}

struct convolve {
  static constexpr auto signature = "convolve<T: float32, float64>(image: T(rows,columns), "
                                    "weights: T(height,width)) -> T(rows,columns)";
  static constexpr auto doc =
      R"(`image` convolved with `weights`, whose sides are odd. Beyond the image there is nothing.)";

  template <class T>
  static void gpu(Call &call, In<T, 2> image, In<T, 2> weights, Out<T, 2> result) {
    check(weights.size(0), weights.size(1));
    call.launch<convolve_pixels<T>>(threads_for(image.size()), image, weights, result);
  }

  template <class T> static void cpu(In<T, 2> image, In<T, 2> weights, Out<T, 2> result) {
    check(weights.size(0), weights.size(1));
    parallel(image.size(0), [=](int64 i) { convolve_row<T>(image, weights, i, &result(i, 0)); }, 1);
  }

  static void check(int64 height, int64 width) {
    if (height % 2 == 0 || width % 2 == 0) {
      throw std::invalid_argument("the sides of weights must be odd: even ones have no middle");
    }
  }
};
CUVEC_EXPORT(convolve);
