#include <host/ops.hpp>

#include "../cpu.hpp"
#include "../device.hpp"
#include "../gpu/call.hpp"
#include "../gpu/launch.hpp"
#include "check.hpp"

namespace host {

namespace {

template <typename T>
double launch_on(const Gpu &gpu, const Array &x, const Array &y, std::optional<Stream> stream) {
  const auto block = Block::allocate(launch::DOT_PARTS * sizeof(double), MemoryKind::Pinned);
  auto *parts = reinterpret_cast<double *>(block->address());
  Call call(gpu, stream, {&x, &y});
  call.wait_at_the_end();
  const std::size_t count =
      launch::dot(call.input<T>(x), call.input<T>(y), parts, x.count(), call.stream());
  call.finish();
  return cpu::sum(parts, count);
}

template <typename T> double run(const Array &x, const Array &y, std::optional<Stream> stream) {
  const Gpu *gpu = common_gpu({&x, &y});
  if (x.count() == 0) {
    return 0.0;
  }
  if constexpr (Gpu::BUILT) {
    if (gpu != nullptr) {
      return launch_on<T>(*gpu, x, y, stream);
    }
  }
  return cpu::dot(x.data<const T>(), y.data<const T>(), x.count());
}

} // namespace

double dot(const Array &x, const Array &y, std::optional<Stream> stream) {
  for (const check::Argument argument : {check::Argument{"x", x}, check::Argument{"y", y}}) {
    check::dtype(argument, {DType::F32, DType::F64});
    check::contiguous(argument);
  }
  check::same_dtype({"x", x}, {"y", y});
  check::same_shape({"x", x}, {"y", y});
  return x.dtype == DType::F32 ? run<float>(x, y, stream) : run<double>(x, y, stream);
}

} // namespace host
