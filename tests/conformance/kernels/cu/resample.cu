#include <cuvec.h>
#include <cuvec/texture.h>

using namespace cuvec;

enum class ResampleBeyond { clamp, border };

template <class T, Filter filter, Beyond beyond>
__host__ __device__ T resampled(In<T, 3> volume, const T *at) {
  const Texture3<T, filter, beyond> texture(volume);
  const In<T, 2> front{{volume.data, {volume.shape[1], volume.shape[2]}}};
  const Texture2<T, filter, beyond> image(front); // the first of the images
  return at[2] == T(0.5) ? image.at(at[0], at[1]) : texture.at(at[0], at[1], at[2]);
}

template <class T, Filter filter>
__host__ __device__ T resampled(In<T, 3> volume, const T *at, ResampleBeyond beyond) {
  return beyond == ResampleBeyond::clamp ? resampled<T, filter, Beyond::clamp>(volume, at)
                                         : resampled<T, filter, Beyond::border>(volume, at);
}

template <class T>
__host__ __device__ T resampled(In<T, 3> volume, const T *at, bool nearest, ResampleBeyond beyond) {
  return nearest ? resampled<T, Filter::nearest>(volume, at, beyond)
                 : resampled<T, Filter::linear>(volume, at, beyond);
}

template <class T>
__global__ void resample_kernel(In<T, 3> volume, In<T, 2> at, bool nearest, ResampleBeyond beyond,
                                Out<T> y) {
  for (int64 i = thread_index(); i < y.size(); i += thread_count()) {
    y[i] = resampled(volume, &at(i, 0), nearest, beyond);
  }
}

struct resample {
  static constexpr auto signature =
      "resample<T: float32, float64>(volume: T(d,h,w), at: T(n,3), *, nearest: bool = False, "
      "beyond: {'clamp', 'border'} = 'clamp') -> y: T(n)";
  static constexpr auto doc =
      "Values between the elements of a volume; of its first image at a depth of 0.5.";

  template <class T>
  static void gpu(Call &call, In<T, 3> volume, In<T, 2> at, bool nearest, ResampleBeyond beyond,
                  Out<T> y) {
    call.launch<resample_kernel<T>>(threads_for(y.size()), volume, at, nearest, beyond, y);
  }
  template <class T>
  static void cpu(In<T, 3> volume, In<T, 2> at, bool nearest, ResampleBeyond beyond, Out<T> y) {
    parallel(y.size(), [=](int64 i) { y[i] = resampled(volume, &at(i, 0), nearest, beyond); });
  }
};
CUVEC_EXPORT(resample);
