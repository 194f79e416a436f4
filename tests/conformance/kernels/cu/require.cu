#include <cuvec.h>

using namespace cuvec;

struct require {
  static constexpr auto signature = "require(ok: bool)";
  static constexpr auto doc = "Raise ValueError unless `ok`: a function without arrays.";

  static void gpu(bool ok) { cpu(ok); }
  static void cpu(bool ok) {
    if (!ok) {
      throw std::invalid_argument("not ok");
    }
  }
};
CUVEC_EXPORT(require);
