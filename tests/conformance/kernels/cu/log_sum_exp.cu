#include <cuvec.h>

using namespace cuvec;

struct log_sum_exp {
  static constexpr auto signature = "log_sum_exp<T: float32, bfloat16>(x: T(...,n)) -> largest: "
                                    "float32(...), value: float32(...)";
  static constexpr auto doc = "The largest element of each row, and the logarithm of the sum of e "
                              "to the powers of all.";

  template <class T>
  static __host__ __device__ void row(Row &row, RowIn<T> x, float &largest, float &value) {
    const ExpSum exps = row.exp_sum([&](Place i) { return x[i]; });
    largest = exps.largest;
    value = exps.largest + logf(exps.sum);
  }
};
CUVEC_EXPORT(log_sum_exp);
