#include <cuvec.h>

#include <cmath>

using namespace cuvec;

// The sum of what all bodies do to body i.
template <class T>
__host__ __device__ void pull(In<T, 2> positions, In<T> masses, T softening, int64 i,
                              Out<T, 2> result) {
  T x = 0, y = 0, z = 0;
  for (int64 j = 0; j < masses.size(); ++j) {
    const T dx = positions(j, 0) - positions(i, 0);
    const T dy = positions(j, 1) - positions(i, 1);
    const T dz = positions(j, 2) - positions(i, 2);
    const T square = dx * dx + dy * dy + dz * dz + softening * softening;
    const T factor = masses[j] / (square * std::sqrt(square));
    x += factor * dx;
    y += factor * dy;
    z += factor * dz;
  }
  result(i, 0) = x;
  result(i, 1) = y;
  result(i, 2) = z;
}

template <class T>
__global__ void accelerations_bodies(In<T, 2> positions, In<T> masses, T softening,
                                     Out<T, 2> result) {
  for (int64 i = thread_index(); i < masses.size(); i += thread_count()) {
    pull(positions, masses, softening, i, result);
  }
}

struct accelerations {
  static constexpr auto signature =
      "accelerations<T: float32, float64>(positions: T(n,3), masses: T(n), softening: T = 0.05) -> "
      "T(n,3)";
  static constexpr auto doc = R"(Accelerations of bodies that attract each other, with G = 1.

Within the length `softening` they do so less, and do not fly apart.)";

  template <class T>
  static void gpu(Call &call, In<T, 2> positions, In<T> masses, T softening, Out<T, 2> result) {
    check(softening);
    call.launch<accelerations_bodies<T>>(threads_for(masses.size(), 128), positions, masses,
                                         softening, result);
  }

  template <class T>
  static void cpu(In<T, 2> positions, In<T> masses, T softening, Out<T, 2> result) {
    check(softening);
    parallel(masses.size(), [=](int64 i) { pull(positions, masses, softening, i, result); }, 16);
  }

  static void check(double softening) {
    if (!(softening > 0)) {
      throw std::invalid_argument("softening must be positive: a body is at no distance of itself");
    }
  }
};
CUVEC_EXPORT(accelerations);
