#include "joseph.cuh"

using namespace cuvec;

// A sinogram as it is read: with blanks, and the length of rays in a pixel taken into account.
template <class T> struct Rays {
  Out<T, 2> padded;
  Out<T> pixels; // of each angle: along the row, or the column, from one ray to the next

  static Rays blank(Call &call, In<T, 2> sinogram) {
    const int64 angles = sinogram.size(0);
    const Rays rays{call.scratch<T>(angles, sinogram.size(1) + joseph::BLANKS),
                    call.scratch<T>(angles)};
    call.zero(rays.padded);
    return rays;
  }

  __host__ __device__ void set(In<T, 2> sinogram, In<T, 2> directions, int64 k) const {
    const int64 angle = k / sinogram.size(1), bin = k % sinogram.size(1);
    const T steepness = joseph::steepness(directions, angle);
    padded(angle, bin + 1) = sinogram[k] / steepness;
    if (bin == 0) {
      pixels[angle] = 1 / steepness;
    }
  }

  // Values of N neighbouring pixels, the first of which is at x and y, in pixels from the
  // middle: each from at most two rays of an angle.
  template <int N>
  __host__ __device__ void through_pixels(In<T, 2> directions, T x, T y, T (&sums)[N]) const {
    const int bins = int(padded.size(1)) - joseph::BLANKS;
    const T middle = T(bins - 1) / 2;
    for (int64 angle = 0; angle < padded.size(0); ++angle) {
      const T *row = &padded(angle, 0);
      const T cosine = directions(angle, 0), scale = pixels[angle];
      const T start = middle + directions(angle, 1) * y;
      for (int n = 0; n < N; ++n) {
        const auto [left, rest] = joseph::place(start + cosine * (x + T(n)), bins);
        sums[n] += joseph::share(scale * rest) * row[left] +
                   joseph::share(scale * (1 - rest)) * row[left + 1];
      }
    }
  }
};

template <class T>
__global__ void backproject_set(In<T, 2> sinogram, In<T, 2> directions, Rays<T> rays) {
  if (const int64 k = thread_index(); k < sinogram.size()) {
    rays.set(sinogram, directions, k);
  }
}

template <class T>
__global__ void backproject_pixels(Rays<T> rays, In<T, 2> directions, Out<T, 2> image) {
  const int64 k = thread_index(), rows = image.size(0), columns = image.size(1);
  if (k < image.size()) {
    T sum[] = {0};
    rays.through_pixels(directions, joseph::from_middle<T>(k % columns, columns),
                        -joseph::from_middle<T>(k / columns, rows), sum);
    image[k] = sum[0];
  }
}

struct backproject {
  static constexpr auto signature =
      "backproject<T: float32, float64>(sinogram: T(angles,bins), directions: T(angles,2), "
      "rows: int64, columns: int64) -> image: T(rows,columns)";
  static constexpr auto doc =
      R"(The adjoint of `project`: each pixel gets what its rays hold, with the same weights.

It gathers, pixel by pixel, so that nothing is added by two threads at once and equal input gives
equal bits.)";

  template <class T>
  static void gpu(Call &call, In<T, 2> sinogram, In<T, 2> directions, int64 rows, int64 columns,
                  Out<T, 2> image) {
    joseph::check(std::max(rows, columns), sinogram.size(1));
    const auto rays = Rays<T>::blank(call, sinogram);
    call.launch<backproject_set<T>>(threads_for(sinogram.size()), sinogram, directions, rays);
    call.launch<backproject_pixels<T>>(threads_for(image.size(), 128), rays, directions, image);
  }

  template <class T>
  static void cpu(Call &call, In<T, 2> sinogram, In<T, 2> directions, int64 rows, int64 columns,
                  Out<T, 2> image) {
    joseph::check(std::max(rows, columns), sinogram.size(1));
    const auto rays = Rays<T>::blank(call, sinogram);
    parallel(sinogram.size(), [=](int64 k) { rays.set(sinogram, directions, k); });
    const int64 parts = (columns + joseph::LANES - 1) / joseph::LANES;
    parallel(
        rows * parts,
        [=](int64 k) {
          const int64 row = k / parts, first = k % parts * joseph::LANES;
          T sums[joseph::LANES] = {};
          rays.through_pixels(directions, joseph::from_middle<T>(first, columns),
                              -joseph::from_middle<T>(row, rows), sums);
          std::copy_n(sums, std::min<int64>(joseph::LANES, columns - first), &image(row, first));
        },
        1);
  }
};
CUVEC_EXPORT(backproject);
