#include <cuvec.h>

using namespace cuvec;

template <class T> __global__ void total_add(In<T> x, Out<T> sum) {
  for (int64 i = thread_index(); i < x.size(); i += thread_count()) {
    sum[i] += x[i];
  }
}

template <class T> struct Total {
  static constexpr auto signature = "Total<T: float32, float64>(n: int64, *, dtype: T = float32)";
  static constexpr auto doc = "The sum of arrays of `n` elements.";

  Buffer<T> sum;

  Total(Call &call, int64 n) : sum(call.buffer<T>(n)) { call.zero(sum.view()); }

  struct add {
    static constexpr auto signature = "add(x: T(n))";
    static constexpr auto doc = "Add an array.";

    static void gpu(Total &self, Call &call, In<T> x) {
      call.launch<total_add<T>>(threads_for(x.size()), x, self.sum.view());
    }
    static void cpu(Total &self, In<T> x) {
      const Out<T> sum = self.sum.view();
      parallel(x.size(), [=](int64 i) { sum[i] += x[i]; });
    }
  };

  struct value {
    static constexpr auto signature = "value() -> T(n)";
    static constexpr auto doc = "The sum of what was added.";

    static void gpu(const Total &self, Call &call, Out<T> y) { call.copy(self.sum.view(), y); }
    static void cpu(const Total &self, Call &call, Out<T> y) { gpu(self, call, y); }
  };

  using methods = Methods<add, value>;
};
CUVEC_CLASS(Total);
