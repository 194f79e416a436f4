// How a kernel fails: its call raises an exception, as on the CPU, and the GPU stays usable.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "abi.h"

namespace cuvec {

#ifdef __CUDACC__
namespace detail {
/// Tells the host, and ends the thread; the others go on. The first thread that fails is heard.
[[noreturn]] __device__ __noinline__ inline void stop(cuvec_report_slot *slot,
                                                      cuvec_problem problem, const char *text,
                                                      std::int64_t left, std::int64_t right,
                                                      int line, const char *function) {
  enum : std::uint32_t { by_nobody, writing, written };
  volatile std::uint32_t *taken = &slot->taken;
  if (atomicCAS(&slot->taken, by_nobody, writing) == by_nobody) {
    volatile cuvec_report *report = slot->report; // nobody else writes there now
    report->problem = problem;
    report->line = static_cast<std::uint32_t>(line);
    report->left = static_cast<std::uint64_t>(left);
    report->right = static_cast<std::uint64_t>(right);
    report->function = function;
    std::uint32_t length = 0;
    for (; length < sizeof(cuvec_report::text) && text[length] != 0; ++length) {
      report->text[length] = text[length];
    }
    report->length = length;
    __threadfence_system();
    report->state = 1;
    __threadfence_system();
    atomicCAS(&slot->taken, writing, written); // unless the host has read it, and made room
  }
  while (*taken == writing) { // the host must not see the end of this kernel before the report
  }
  __threadfence_system();
  asm volatile("exit;");
  __builtin_unreachable();
}
} // namespace detail
#endif

/// A call, as its kernels see it: plain data, which a `Call` converts to.
class KernelCall {
public:
  KernelCall(cuvec_report_slot *slot, const char *function) : slot_(slot), function_(function) {}

  /// Where `failed` holds, ends the call with a RuntimeError, `f(): what`; `what` is a literal. On
  /// the GPU it ends the thread, and what waits for the GPU raises the error, or the next call.
  __host__ __device__ void fail_if(bool failed, const char *what) const {
    if (failed) {
      fail(CUVEC_FAILED, what, 0);
    }
  }
  /// The same, and says a number: `f(): what: value`.
  __host__ __device__ void fail_if(bool failed, const char *what, std::int64_t value) const {
    if (failed) {
      fail(CUVEC_FAILED_WITH, what, value);
    }
  }

private:
  [[noreturn]] __host__ __device__ void fail(cuvec_problem problem, const char *what,
                                             std::int64_t value) const {
#ifdef __CUDA_ARCH__
    detail::stop(slot_, problem, what, value, 0, 0, function_);
#else
    const bool tells = problem == CUVEC_FAILED_WITH;
    throw std::runtime_error(tells ? what + (": " + std::to_string(value)) : what);
#endif
  }

  cuvec_report_slot *slot_; // of this GPU; null on the CPU
  const char *function_;    // in memory of the host; null in `src/`
};

} // namespace cuvec
