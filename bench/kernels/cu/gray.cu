#include <cuvec.h>

using namespace cuvec;

__host__ __device__ inline uint8_t gray_of(int64 i, In<uint8_t, 2> color) {
  return uint8_t((299 * color(i, 0) + 587 * color(i, 1) + 114 * color(i, 2) + 500) / 1000);
}

struct gray {
  static constexpr auto signature = "gray(color: uint8(...,3)) -> value: uint8(...)";
  static constexpr auto doc = "Return the brightness of red, green and blue, in bytes.";

  static void passes(Call &call, In<uint8_t, 2> color, Out<uint8_t> value) {
    call.each<gray_of>(value, color);
  }
};
CUVEC_EXPORT(gray);
