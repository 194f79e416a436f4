#include <cuvec.h>

using namespace cuvec;

__host__ __device__ inline void row_above(In<float, 2> points, float limit, int64 extra,
                                          AtMost<float, 2> kept, int64 i) {
  if (points(i, 0) > limit) {
    const int64 at = kept.next();
    for (int64 j = 0; at < kept.size(0) && j < 3; ++j) {
      kept(at, j) = points(i, j);
    }
  }
  for (int64 more = 0; i == 0 && more < extra; ++more) {
    kept.next();
  }
}

__global__ void rows_above_kernel(In<float, 2> points, float limit, int64 extra,
                                  AtMost<float, 2> kept) {
  for (int64 i = thread_index(); i < points.size(0); i += thread_count()) {
    row_above(points, limit, extra, kept, i);
  }
}

struct rows_above {
  static constexpr auto signature = "rows_above(points: float32(n,3), limit: float32, *, "
                                    "extra: int64 = 0) -> float32(at most n,3)";
  static constexpr auto doc = "The points above a limit; `extra` is counted and not there.";

  static void gpu(Call &call, In<float, 2> points, float limit, int64 extra,
                  AtMost<float, 2> kept) {
    call.launch<rows_above_kernel>(threads_for(points.size(0)), points, limit, extra, kept);
  }
  static void cpu(In<float, 2> points, float limit, int64 extra, AtMost<float, 2> kept) {
    for (int64 i = 0; i < points.size(0); ++i) {
      row_above(points, limit, extra, kept, i);
    }
  }
};
CUVEC_EXPORT(rows_above);
