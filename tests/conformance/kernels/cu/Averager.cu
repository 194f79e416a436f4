#include <cuvec.h>

#include "counted.cuh"

using namespace cuvec;

template <class T, class U> __global__ void running_add(In<U> x, Out<T> sum) {
  for (int64 i = thread_index(); i < sum.size(); i += thread_count()) {
    sum[i] += T(x[i]);
  }
}
template <class T> __global__ void running_mean(In<T> sum, T count, Out<T> y) {
  for (int64 i = thread_index(); i < sum.size(); i += thread_count()) {
    y[i] = sum[i] / count;
  }
}

/// Means in the dtype that an object was made for.
template <class T> struct Averager {
  static constexpr auto signature =
      "Averager<T: float32, float64>(n: int64, *, start: T = 0, dtype: T = float64)";
  static constexpr auto doc = "The mean of arrays of `n` elements, in the precision of `dtype`.";

  Counted counted;
  Buffer<T> sum;
  int64 calls = 0;

  Averager(Call &call, int64 n, T start) : sum(call.buffer<T>(n)) {
    auto &host = call.keep(std::vector<T>(std::size_t(n), start));
    call.copy<T, 1>(Out<T>{host.data(), {n}}, sum.view());
  }

  struct add {
    static constexpr auto signature = "add(x: T(n))";
    static constexpr auto doc = "Add an array of that dtype.";

    static void gpu(Averager &self, Call &call, In<T> x) {
      ++self.calls;
      call.launch<running_add<T, T>>(threads_for(x.size()), x, self.sum.view());
    }
    static void cpu(Averager &self, In<T> x) {
      ++self.calls;
      const Out<T> sum = self.sum.view();
      parallel(x.size(), [=](int64 i) { sum[i] += x[i]; });
    }
  };

  struct add_integers {
    static constexpr auto signature = "add_integers<U: int16, int32>(x: U(n))";
    static constexpr auto doc = "Add an array of integers.";

    template <class U> static void gpu(Averager &self, Call &call, In<U> x) {
      ++self.calls;
      call.launch<running_add<T, U>>(threads_for(x.size()), x, self.sum.view());
    }
    template <class U> static void cpu(Averager &self, In<U> x) {
      ++self.calls;
      const Out<T> sum = self.sum.view();
      parallel(x.size(), [=](int64 i) { sum[i] += T(x[i]); });
    }
  };

  struct mean {
    static constexpr auto signature = "mean() -> T(n)";
    static constexpr auto doc = "The mean of what was added.";

    static void gpu(const Averager &self, Call &call, Out<T> y) {
      call.launch<running_mean<T>>(threads_for(y.size()), self.sum.view(), T(self.calls), y);
    }
    static void cpu(const Averager &self, Out<T> y) {
      const In<T> sum = self.sum.view();
      const T count(self.calls);
      parallel(y.size(), [=](int64 i) { y[i] = sum[i] / count; });
    }
  };

  using methods = Methods<add, add_integers, mean>;
};
CUVEC_CLASS(Averager);
