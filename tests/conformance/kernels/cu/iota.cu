#include <cuvec.h>

using namespace cuvec;

__global__ void iota_all(int64 start, int64 step, Out<int64> y) {
  for (int64 i = thread_index(); i < y.size(); i += thread_count()) {
    y[i] = start + i * step;
  }
}

struct iota {
  static constexpr auto signature = "iota(n: int64, *, start: int64, step: int64 = -1) -> int64(n)";
  static constexpr auto doc = "`n` integers from `start` on: a function without arrays.";

  static void gpu(Call &call, int64 /*n*/, int64 start, int64 step, Out<int64> y) {
    call.launch<iota_all>(threads_for(y.size()), start, step, y);
  }
  static void cpu(int64 /*n*/, int64 start, int64 step, Out<int64> y) {
    parallel(y.size(), [=](int64 i) { y[i] = start + i * step; });
  }
};
CUVEC_EXPORT(iota);
