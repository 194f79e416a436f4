#include <cuvec.h>

using namespace cuvec;

// How the body i is accelerated by the others; softened, so that no two are at one place.
template <class T>
__host__ __device__ void pull(In<T, 2> place, In<T> mass, T softening, int64 i, Out<T, 2> out) {
  T sum[3] = {};
  for (int64 j = 0; j < mass.size(); ++j) {
    T away[3], square = softening * softening;
    for (int k = 0; k < 3; ++k) {
      away[k] = place(j, k) - place(i, k);
      square += away[k] * away[k];
    }
    for (int k = 0; k < 3; ++k) {
      sum[k] += mass[j] * away[k] / (square * std::sqrt(square));
    }
  }
  for (int k = 0; k < 3; ++k) {
    out(i, k) = sum[k];
  }
}

template <class T>
__global__ void pull_bodies(In<T, 2> place, In<T> mass, T softening, Out<T, 2> out) {
  for (int64 i = thread_index(); i < mass.size(); i += thread_count()) {
    pull(place, mass, softening, i, out);
  }
}

struct nbody {
  static constexpr auto signature = "nbody<T: float32, float64>(place: T(n,3), mass: T(n), *, "
                                    "softening: T = 0.1) -> acceleration: T(n,3)";
  static constexpr auto doc = "Return the accelerations of bodies that attract each other.";

  template <class T>
  static void gpu(Call &call, In<T, 2> place, In<T> mass, T softening, Out<T, 2> out) {
    call.launch<pull_bodies<T>>(threads_for(mass.size()), place, mass, softening, out);
  }

  template <class T> static void cpu(In<T, 2> place, In<T> mass, T softening, Out<T, 2> out) {
    parallel(mass.size(), [=](int64 i) { pull(place, mass, softening, i, out); }, 16);
  }
};
CUVEC_EXPORT(nbody);
