#include <cuvec.h>

using namespace cuvec;

// A part of how the body i is accelerated; softened, so that no two are at one place.
template <class T>
__host__ __device__ T pull(Row &row, int64 i, int64 k, In<T, 2> place, In<T> mass, T softening) {
  return row.sum([=](int64 j) {
    const auto away = [=](int axis) { return place(j, axis) - place(i, axis); };
    const T square =
        away(0) * away(0) + away(1) * away(1) + away(2) * away(2) + softening * softening;
    return mass[j] * away(int(k)) / (square * std::sqrt(square));
  });
}

struct nbody {
  static constexpr auto signature = "nbody<T: float32, float64>(place: T(n,3), mass: T(n), *, "
                                    "softening: T = 0.1) -> acceleration: T(n,3)";
  static constexpr auto doc = "Return the accelerations of bodies that attract each other.";

  template <class T>
  static void passes(Call &call, In<T, 2> place, In<T> mass, T softening, Out<T, 2> out) {
    call.each_row<pull<T>>(out, mass.size(), place, mass, softening);
  }
};
CUVEC_EXPORT(nbody);
