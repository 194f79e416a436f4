#include <cuvec.h>

using namespace cuvec;

__host__ __device__ inline uint8_t gray_of(In<uint8_t, 2> color, int64 i) {
  return uint8_t((299 * color(i, 0) + 587 * color(i, 1) + 114 * color(i, 2) + 500) / 1000);
}

__global__ void gray_pixels(In<uint8_t, 2> color, Out<uint8_t> value) {
  for (int64 i = thread_index(); i < value.size(); i += thread_count()) {
    value[i] = gray_of(color, i);
  }
}

struct gray {
  static constexpr auto signature = "gray(color: uint8(...,3)) -> value: uint8(...)";
  static constexpr auto doc = "Return the brightness of red, green and blue, in bytes.";

  static void gpu(Call &call, In<uint8_t, 2> color, Out<uint8_t> value) {
    call.launch<gray_pixels>(threads_for(value.size()), color, value);
  }

  static void cpu(In<uint8_t, 2> color, Out<uint8_t> value) {
    parallel(value.size(), [=](int64 i) { value[i] = gray_of(color, i); });
  }
};
CUVEC_EXPORT(gray);
