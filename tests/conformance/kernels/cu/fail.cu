#include <cuvec.h>

using namespace cuvec;

struct fail {
  static constexpr auto signature =
      "fail(how: int32, y: inout int32(...), *, threads: bool = False)";
  static constexpr auto doc =
      "End in an exception of C++, on the thread of the call or on several.";

  static void raise(int how) {
    switch (how) {
    case 0:
      return;
    case 1:
      throw std::invalid_argument("a wrong value");
    case 2:
      throw std::bad_alloc();
    case 3:
      throw std::runtime_error("it went wrong");
    default:
      throw how;
    }
  }
  static void gpu(int how, Out<int> /*y*/, bool /*threads*/) { raise(how); }
  static void cpu(int how, Out<int> y, bool threads) {
    if (threads) {
      parallel(y.size(), [=](int64 /*i*/) { raise(how); }, 1);
    } else {
      raise(how);
    }
  }
};
CUVEC_EXPORT(fail);
