#include <host/ops.hpp>

#include "../cpu.hpp"
#include "../device.hpp"
#include "../gpu/call.hpp"
#include "../gpu/launch.hpp"
#include "check.hpp"

namespace host {

namespace {

template <typename T> void run(T a, const Array &x, const Array &y, std::optional<Stream> stream) {
  const Gpu *gpu = common_gpu({&x, &y});
  if (x.count() == 0) {
    return;
  }
  if (gpu == nullptr) {
    cpu::axpy(a, x.data<const T>(), y.data<T>(), x.count());
  } else if constexpr (Gpu::BUILT) {
    Call call(*gpu, stream, {&x, &y});
    launch::axpy(a, call.input<T>(x), call.inout<T>(y), x.count(), call.stream());
    call.finish();
  }
}

} // namespace

void axpy(double a, const Array &x, const Array &y, std::optional<Stream> stream) {
  for (const check::Argument argument : {check::Argument{"x", x}, check::Argument{"y", y}}) {
    check::dtype(argument, {DType::F32, DType::F64});
    check::contiguous(argument);
  }
  check::same_dtype({"x", x}, {"y", y});
  check::same_shape({"x", x}, {"y", y});
  check::writable({"y", y});
  check::disjoint({"x", x}, {"y", y});
  if (x.dtype == DType::F32) {
    run(static_cast<float>(a), x, y, stream);
  } else {
    run(a, x, y, stream);
  }
}

} // namespace host
