#include <cuvec.h>

using namespace cuvec;

struct wide {
  static constexpr auto signature = "wide(blocks: int64, threads: int64) -> int64";
  static constexpr auto doc = "The threads of a launch of so many blocks of so many threads.";

  static void gpu(Call &call, int64 blocks, int64 threads, Out<int64, 0> count) {
    Grid(blocks, threads);
    call.zero(count);
  }
  static void cpu(int64 blocks, int64 threads, Out<int64, 0> count) {
    const Grid grid(blocks, threads);
    *count = int64(grid.blocks.x) * grid.threads.x;
  }
};
CUVEC_EXPORT(wide);
