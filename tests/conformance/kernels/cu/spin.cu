#include <cuvec.h>

#include <chrono>

using namespace cuvec;

struct spin {
  static constexpr auto signature = "spin(seconds: float64, *, threads: bool = False) -> float64";
  static constexpr auto doc =
      "Work so long on the CPU, on one thread or on several; Ctrl-C ends it. How long it was.";

  using Clock = std::chrono::steady_clock;

  static double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  static void gpu(Call &call, double /*seconds*/, bool /*threads*/, Out<double, 0> spent) {
    call.zero(spent);
  }
  static void cpu(double seconds, bool threads, Out<double, 0> spent) {
    const auto start = Clock::now();
    if (threads) {
      parallel(
          1 << 20,
          [=](int64 /*i*/) {
            const auto begin = Clock::now();
            while (since(start) < seconds && since(begin) < 0.001) {
            }
          },
          1);
    }
    while (since(start) < seconds) {
      check_interrupt();
    }
    *spent = since(start);
  }
};
CUVEC_EXPORT(spin);
