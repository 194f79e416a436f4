#include <cuvec.h>

using namespace cuvec;

struct wide {
  static constexpr auto signature = "wide(blocks: int64) -> int64";
  static constexpr auto doc = "The blocks of a launch of so many.";

  static void gpu(Call &call, int64 blocks, Out<int64, 0> has) {
    Grid(blocks, 1);
    call.zero(has);
  }
  static void cpu(int64 blocks, Out<int64, 0> has) { *has = Grid(blocks, 1).blocks.x; }
};
CUVEC_EXPORT(wide);
