#include <cuvec.h>

#include <chrono>
#include <thread>

#include "counted.cuh"

using namespace cuvec;

template <class T> __host__ __device__ T filter_at(In<float> weights, In<T> x, int64 i) {
  T sum(0);
  for (int64 k = 0; k < weights.size(); ++k) {
    sum += T(weights[k]) * x[i + k];
  }
  return sum;
}
template <class T> __global__ void filter_apply(In<float> weights, In<T> x, Out<T> y) {
  for (int64 i = thread_index(); i < y.size(); i += thread_count()) {
    y[i] = filter_at(weights, x, i);
  }
}
__global__ void filter_add(In<float> x, Out<float> sum) {
  for (int64 i = thread_index(); i < sum.size(); i += thread_count()) {
    sum[i] += x[i];
  }
}
__global__ void filter_scale(float scale, Out<float> x) {
  for (int64 i = thread_index(); i < x.size(); i += thread_count()) {
    x[i] *= scale;
  }
}
__global__ void filter_put(int64 value, Out<int64, 0> result) { *result = value; }

/// A filter of a class: weights and sums are in memory of its own.
struct Filter {
  static constexpr auto signature = "Filter(weights: float32(k), n: int64, *, scale: float32 = 1, "
                                    "mode: {'plain', 'scaled'} = 'plain')";
  static constexpr auto doc = R"(Weighted sums of `k` neighbours, of arrays of `n` elements.

ValueError without weights.)";

  enum class Mode { plain, scaled };

  Counted counted;
  Buffer<float> weights, sum;
  int64 calls = 0;

  Filter(Call &call, In<float> given, int64 n, float scale, Mode mode)
      : weights(call.buffer<float>(given.size())), sum(call.buffer<float>(n)) {
    call.copy(given, weights.view());
    call.zero(sum.view());
    const Out<float> w = weights.view();
    if (mode == Mode::scaled && call.is_on_gpu()) {
      call.launch<filter_scale>(threads_for(w.size()), scale, w);
    } else if (mode == Mode::scaled) {
      parallel(w.size(), [=](int64 i) { w[i] *= scale; });
    }
    if (given.size() == 0) {
      throw std::invalid_argument("a filter needs weights");
    }
  }

  struct apply {
    static constexpr auto signature = "apply<T: float32, float64>(x: T(n)) -> y: T(n-k+1)";
    static constexpr auto doc = "The weighted sums.";

    template <class T> static void gpu(Call &call, const Filter &self, In<T> x, Out<T> y) {
      call.launch<filter_apply<T>>(threads_for(y.size()), self.weights.view(), x, y);
    }
    template <class T> static void cpu(const Filter &self, In<T> x, Out<T> y) {
      const In<float> w = self.weights.view();
      parallel(y.size(), [=](int64 i) { y[i] = filter_at<T>(w, x, i); });
    }
  };

  struct add {
    static constexpr auto signature = "add(x: float32(n))";
    static constexpr auto doc = "Add the elements to what there is.";

    static void gpu(Filter &self, Call &call, In<float> x) {
      ++self.calls;
      call.launch<filter_add>(threads_for(x.size()), x, self.sum.view());
    }
    static void cpu(Filter &self, In<float> x) {
      ++self.calls;
      const Out<float> sum = self.sum.view();
      parallel(x.size(), [=](int64 i) { sum[i] += x[i]; });
    }
  };

  struct total {
    static constexpr auto signature = "total() -> float32(n)";
    static constexpr auto doc = "Return the sums of all that was added.";

    static void gpu(const Filter &self, Call &call, Out<float> y) { call.copy(self.sum.view(), y); }
    static void cpu(const Filter &self, Call &call, Out<float> y) { gpu(self, call, y); }
  };

  struct calls_of_add {
    static constexpr auto signature = "calls_of_add() -> int64";
    static constexpr auto doc = "How often it was.";

    static void gpu(const Filter &self, Call &call, Out<int64, 0> count) {
      call.launch<filter_put>(Grid(1, 1), self.calls, count);
    }
    static void cpu(const Filter &self, Out<int64, 0> count) { *count = self.calls; }
  };

  struct ends {
    static constexpr auto signature = "ends() -> first: float32, last: float32";
    static constexpr auto doc = "The first and the last of what there is.";

    static void gpu(const Filter &self, Call &call, Out<float, 0> first, Out<float, 0> last) {
      const In<float> sum = self.sum.view();
      call.copy(In<float, 0>{sum.data, {}}, first);
      call.copy(In<float, 0>{sum.data + sum.size() - 1, {}}, last);
    }
    static void cpu(const Filter &self, Call &call, Out<float, 0> first, Out<float, 0> last) {
      gpu(self, call, first, last);
    }
  };

  struct fail {
    static constexpr auto signature = "fail(why: int64)";
    static constexpr auto doc = "Raise.";

    static void gpu(Filter & /*self*/, int64 why) {
      throw std::invalid_argument(std::to_string(why));
    }
    static void cpu(Filter &self, int64 why) { gpu(self, why); }
  };

  struct keep {
    static constexpr auto signature = "keep(x: float32(m)) -> y: float32(m)";
    static constexpr auto doc = "Copy through memory of the host that the call keeps.";

    static void gpu(Filter & /*self*/, Call &call, In<float> x, Out<float> y) {
      call.keep(Counted());
      auto &host = call.keep(std::vector<float>(std::size_t(x.size())));
      const Out<float> through{host.data(), {x.size()}};
      call.copy(x, through);
      call.copy<float, 1>(through, y);
    }
    static void cpu(Filter &self, Call &call, In<float> x, Out<float> y) { gpu(self, call, x, y); }
  };

  struct sleep {
    static constexpr auto signature = "sleep(seconds: float64)";
    static constexpr auto doc = "Count a call, slowly: another thread's would be lost.";

    static void gpu(Filter &self, double seconds) {
      const int64 before = self.calls;
      const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
      std::this_thread::sleep_until(end);
      self.calls = before + 1;
    }
    static void cpu(Filter &self, double seconds) { gpu(self, seconds); }
  };

  using methods = Methods<apply, add, total, calls_of_add, ends, fail, keep, sleep>;
};
CUVEC_CLASS(Filter);
