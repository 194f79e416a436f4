#include <cuvec.h>

using namespace cuvec;

struct require_size {
  static constexpr auto signature = "require_size(x: uint8(n), least: int64)";
  static constexpr auto doc = "Raise ValueError if `x` has fewer elements than `least`.";

  static void gpu(In<std::uint8_t> x, int64 least) { cpu(x, least); }
  static void cpu(In<std::uint8_t> x, int64 least) {
    if (x.size() < least) {
      throw std::invalid_argument(std::to_string(x.size()) + " elements");
    }
  }
};
CUVEC_EXPORT(require_size);
