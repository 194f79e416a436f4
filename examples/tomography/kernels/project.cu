#include "joseph.cuh"

using namespace cuvec;

// The integrals along N rays `across * column + along * row = first`, `first + 1` …, counted from
// the middle of the image. They cross each row at most once: |across| >= |along|.
template <int N, class T>
__host__ __device__ void along_rays(In<T, 2> padded, T across, T along, T first, T (&sums)[N]) {
  const int64 rows = padded.size(0);
  const int columns = int(padded.size(1)) - joseph::BLANKS;
  const T pixels = 1 / across, middle = T(columns - 1) / 2;
  for (int64 i = 0; i < rows; ++i) {
    const T *row = &padded(i, 0);
    const T start = middle - pixels * along * joseph::from_middle<T>(i, rows);
    for (int n = 0; n < N; ++n) {
      const auto [left, rest] = joseph::place(start + pixels * (first + T(n)), columns);
      sums[n] += (1 - rest) * row[left] + rest * row[left + 1];
    }
  }
  for (T &sum : sums) {
    sum *= joseph::absolute(pixels);
  }
}

// An image, and its transposed: rays that are nearer to the rows than to the columns are followed
// there, so that rays beside each other always read pixels beside each other.
template <class T> struct Images {
  Out<T, 2> upright, transposed;

  static Images blank(Call &call, In<T, 2> image) {
    const int64 rows = image.size(0), columns = image.size(1);
    const Images images{call.scratch<T>(rows, columns + joseph::BLANKS),
                        call.scratch<T>(columns, rows + joseph::BLANKS)};
    call.zero(images.upright);
    call.zero(images.transposed);
    return images;
  }

  __host__ __device__ void set(In<T, 2> image, int64 k) const {
    const int64 i = k / image.size(1), j = k % image.size(1);
    upright(i, j + 1) = transposed(j, i + 1) = image[k];
  }

  template <int N>
  __host__ __device__ void rays(In<T, 2> directions, int64 angle, T first, T (&sums)[N]) const {
    const T cosine = directions(angle, 0), sine = directions(angle, 1);
    if (joseph::absolute(cosine) < joseph::absolute(sine)) {
      along_rays<N, T>(transposed, -sine, cosine, first, sums);
    } else {
      along_rays<N, T>(upright, cosine, -sine, first, sums);
    }
  }
};

template <class T> __global__ void project_set(In<T, 2> image, Images<T> images) {
  if (const int64 k = thread_index(); k < image.size()) {
    images.set(image, k);
  }
}

template <class T>
__global__ void project_rays(Images<T> images, In<T, 2> directions, Out<T, 2> sinogram) {
  const int64 k = thread_index(), bins = sinogram.size(1);
  if (k < sinogram.size()) {
    T sum[] = {0};
    images.rays(directions, k / bins, joseph::from_middle<T>(k % bins, bins), sum);
    sinogram[k] = sum[0];
  }
}

struct project {
  static constexpr auto signature =
      "project<T: float32, float64>(image: T(rows,columns), directions: T(angles,2), bins: int64) "
      "-> sinogram: T(angles,bins)";
  static constexpr auto doc = R"(Integrals of `image` along parallel rays, in pixels.

`directions` holds cos and sin of each angle. Bin b of angle a has the ray x cos + y sin =
b - (bins - 1) / 2, where x is to the right and y upwards, in pixels from the middle of the image.
Joseph's method: IEEE Trans. Med. Imaging 1 (1982), 192. `backproject` is the exact adjoint.)";

  template <class T>
  static void gpu(Call &call, In<T, 2> image, In<T, 2> directions, int64 bins, Out<T, 2> sinogram) {
    joseph::check(std::max(image.size(0), image.size(1)), bins);
    const auto images = Images<T>::blank(call, image);
    call.launch<project_set<T>>(threads_for(image.size()), image, images);
    call.launch<project_rays<T>>(threads_for(sinogram.size(), 128), images, directions, sinogram);
  }

  template <class T>
  static void cpu(Call &call, In<T, 2> image, In<T, 2> directions, int64 bins, Out<T, 2> sinogram) {
    joseph::check(std::max(image.size(0), image.size(1)), bins);
    const auto images = Images<T>::blank(call, image);
    parallel(image.size(), [=](int64 k) { images.set(image, k); });
    const int64 parts = (bins + joseph::LANES - 1) / joseph::LANES;
    parallel(
        sinogram.size(0) * parts,
        [=](int64 k) {
          const int64 angle = k / parts, first = k % parts * joseph::LANES;
          T sums[joseph::LANES] = {};
          images.rays(directions, angle, joseph::from_middle<T>(first, bins), sums);
          std::copy_n(sums, std::min<int64>(joseph::LANES, bins - first), &sinogram(angle, first));
        },
        1);
  }
};
CUVEC_EXPORT(project);
