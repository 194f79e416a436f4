#include <cuvec.h>

#include "counted.cuh"

using namespace cuvec;

template <class T> __host__ __device__ real_t<T> power_of(T x) { return x.re * x.re + x.im * x.im; }
template <class T> __global__ void signal_power(In<T> x, Out<real_t<T>> y) {
  for (int64 i = thread_index(); i < x.size(); i += thread_count()) {
    y[i] = power_of(x[i]);
  }
}

/// A signal of the dtype of the array that it is made of.
template <class T> struct Signal {
  static constexpr auto signature = "Signal<T: complex64, complex128>(x: T(n))";
  static constexpr auto doc = "A signal of `n` elements.";

  Counted counted;
  Buffer<T> x;

  Signal(Call &call, In<T> given) : x(call.buffer<T>(given.size())) { call.copy(given, x.view()); }

  struct power {
    static constexpr auto signature = "power() -> y: real(T)(n)";
    static constexpr auto doc = "The power of each element.";
    using R = real_t<T>;

    static void gpu(const Signal &self, Call &call, Out<R> y) {
      call.launch<signal_power<T>>(threads_for(y.size()), self.x.view(), y);
    }
    static void cpu(const Signal &self, Out<R> y) {
      const In<T> x = self.x.view();
      parallel(y.size(), [=](int64 i) { y[i] = power_of(x[i]); });
    }
  };

  using methods = Methods<power>;
};
CUVEC_CLASS(Signal);
