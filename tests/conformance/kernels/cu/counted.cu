#include <cuvec.h>

#include "counted.cuh"

using namespace cuvec;

__global__ void counted_put(int64 count, Out<int64, 0> result) { *result = count; }

struct counted {
  static constexpr auto signature = "counted() -> int64";
  static constexpr auto doc =
      "How many `Counted` there are: one in each `Filter`, and those that calls keep.";

  static void gpu(Call &call, Out<int64, 0> result) {
    call.launch<counted_put>(Grid(1, 1), Counted::count.load(), result);
  }
  static void cpu(Out<int64, 0> result) { *result = Counted::count; }
};
CUVEC_EXPORT(counted);
