#include <cuvec.h>

using namespace cuvec;

struct cover {
  static constexpr auto signature = "cover(n: int64, threads: int64) -> int64";
  static constexpr auto doc = "The blocks of a launch of a thread for each of `n`.";

  static void gpu(Call &call, int64 n, int64 threads, Out<int64, 0> blocks) {
    threads_for(n, threads);
    call.zero(blocks);
  }
  static void cpu(int64 n, int64 threads, Out<int64, 0> blocks) {
    *blocks = threads_for(n, threads).blocks.x;
  }
};
CUVEC_EXPORT(cover);
