#include <host/xla.hpp>

#include <array>
#include <atomic>
#include <exception>
#include <optional>

#include <host/device.hpp>
#include <host/error.hpp>
#include <host/functions.hpp>

#include "abi.hpp"
#include "call.hpp"
#include "not_here.hpp"

namespace host::xla {

namespace {

/// The stream that the program runs on.
Stream stream_of(const Frame &frame) {
  GetStream wanted{{sizeof wanted, nullptr}, frame.context, nullptr};
  if (frame.api->get_stream(&wanted) != nullptr) {
    throw NotHere(); // the other handler says so
  }
  const auto handle = reinterpret_cast<std::uintptr_t>(wanted.stream);
  return handle == 0 ? LEGACY_DEFAULT_STREAM : Stream{handle};
}

template <typename Kind> bool is(const std::exception &error) {
  return dynamic_cast<const Kind *>(&error) != nullptr;
}

int code_of(const std::exception &error) {
  if (is<TypeError>(error) || is<ValueError>(error) || is<OverflowError>(error)) {
    return INVALID_ARGUMENT;
  }
  return is<MemoryError>(error) ? RESOURCE_EXHAUSTED : INTERNAL;
}

void *new_error(const Frame &frame, int code, const char *message) {
  NewError error{{sizeof error, nullptr}, message, code};
  return frame.api->new_error(&error);
}

void run(const Frame &frame, std::optional<Stream> stream) {
  std::optional<Call> call;
  std::optional<Invocation> invocation;
  try {
    call.emplace(frame, stream);
    invocation.emplace(call->function(), call->given());
  } catch (const Error &) {
    throw NotHere(); // nothing was touched
  }
  invocation->run(stream);
}

/// On the CPU: with a GPU, the function would work there, and Python has to be asked.
bool is_for_us(bool on_gpu) {
  static const bool has_gpu = device().index.has_value();
  return on_gpu || !has_gpu;
}

/// On the CPU and on GPUs.
std::array<std::atomic<Handler>, 2> others{};
std::atomic<void (*)()> forget_exception{nullptr};

template <bool ON_GPU> void *handle(void *pointer) {
  const auto &frame = *static_cast<const Frame *>(pointer);
  try {
    if (frame.head.extension != nullptr || !is_for_us(ON_GPU)) {
      throw NotHere();
    }
    run(frame, ON_GPU ? std::optional(stream_of(frame)) : std::nullopt);
    return nullptr;
  } catch (const NotHere &) {
    return others[ON_GPU].load()(pointer);
  } catch (const std::exception &error) {
    if (is<Interrupted>(error)) {
      forget_exception.load()();
    }
    return new_error(frame, code_of(error), error.what());
  }
}

} // namespace

Handler handler(bool on_gpu, Python python) {
  others[on_gpu ? 1 : 0] = python.other;
  forget_exception = python.forget_exception;
  return on_gpu ? handle<true> : handle<false>;
}

} // namespace host::xla
