#include <cuvec.h>

using namespace cuvec;

struct cross_entropy {
  static constexpr auto signature =
      "cross_entropy<T: float32, float16, bfloat16>(x: T(...,n), target: int64(...)) -> "
      "loss: float32(...), lse: saved float32(...)";
  static constexpr auto derivative = "dx = cross_entropy_bwd(dloss, x, target, lse)";
  static constexpr auto doc =
      "Return the cross entropy of each row of logits, whose true class is `target`.";

  template <class T>
  static __host__ __device__ void row(Row &row, RowIn<T> x, int64 target, float &loss, float &lse) {
    row.fail_if(target < 0 || target >= row.size(), "no such class");
    const ExpSum exps = row.exp_sum([&](Place i) { return x[i]; });
    lse = exps.largest + logf(exps.sum);
    loss = lse - float(x[target]);
  }
};
CUVEC_EXPORT(cross_entropy);
