#include "driver.hpp"

#include <optional>

#include <host/error.hpp>

#include "cuda_stream.hpp"

namespace host {

namespace {

/// The version of CUDA whose functions are asked for; every driver from then on has them.
constexpr unsigned VERSION = 12000;

template <typename Function> bool load(const char *name, Function &function) {
  void *found = nullptr;
  cudaDriverEntryPointQueryResult result{};
#if CUDART_VERSION >= 12050
  const auto error =
      cudaGetDriverEntryPointByVersion(name, &found, VERSION, cudaEnableDefault, &result);
#else
  const auto error = cudaGetDriverEntryPoint(name, &found, cudaEnableDefault, &result);
#endif
  ignore(error);
  function = reinterpret_cast<Function>(found);
  return error == cudaSuccess && result == cudaDriverEntryPointSuccess && found != nullptr;
}

std::optional<Driver> load_all() {
  Driver driver{};
  const bool loaded = load("cuGetErrorName", driver.get_error_name) &&
                      load("cuGetErrorString", driver.get_error_string) &&
                      load("cuCtxGetCurrent", driver.get_context) &&
                      load("cuCtxSetCurrent", driver.set_context) &&
                      load("cuStreamIsCapturing", driver.is_capturing) &&
                      load("cuPointerGetAttributes", driver.get_pointer_attributes);
  return loaded ? std::optional(driver) : std::nullopt;
}

} // namespace

const Driver *Driver::find() {
  static const std::optional<Driver> driver = load_all();
  return driver ? &*driver : nullptr;
}

namespace {

const Driver &required() {
  const Driver *driver = Driver::find();
  if (driver == nullptr) {
    throw RuntimeError("the CUDA driver is too old");
  }
  return *driver;
}

} // namespace

const Driver &Driver::get() {
  static const Driver &driver = required();
  return driver;
}

void check(CUresult result) {
  if (result != CUDA_SUCCESS) {
    throw RuntimeError(describe(static_cast<cudaError_t>(result)));
  }
}

CUstreamCaptureStatus capture_status(Stream stream) {
  auto status = CU_STREAM_CAPTURE_STATUS_NONE;
  check(Driver::get().is_capturing(cuda(stream), &status));
  return status;
}

} // namespace host
