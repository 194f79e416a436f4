#include "beside.hpp"

#include <atomic>
#include <cstdint>
#include <optional>

#include <host/interop.hpp>

#include "cpython.hpp"
#include "error.hpp"
#include "lent.hpp"

namespace dlpack = host::dlpack;

namespace {

using core::python;

std::atomic<std::int64_t> known_modules{-1};
std::atomic<const dlpack::Exchange *> torch{nullptr};
std::atomic<void *> cupys_current_stream{nullptr}; // never given back

/// PyTorch's. Without GPUs it has none, and is not asked again before more is imported.
std::optional<host::Stream> stream_of_torch(int gpu) {
  constexpr std::int32_t CUDA = 2;
  const dlpack::Exchange *functions = torch;
  void *stream = nullptr;
  if (functions == nullptr || functions->current_work_stream(CUDA, gpu, &stream) != 0) {
    python.PyErr_Restore(nullptr, nullptr, nullptr);
    torch = nullptr;
    return {};
  }
  return host::Stream{reinterpret_cast<std::uintptr_t>(stream)};
}

std::optional<host::Stream> stream_of_cupy(int /*gpu*/) {
  const host::Stream stream = core::cupys_stream(cupys_current_stream);
  if (python.PyErr_Occurred() != nullptr) {
    python.PyErr_Restore(nullptr, nullptr, nullptr);
    throw host::RuntimeError("CuPy does not say which stream is current");
  }
  return stream;
}

void refuse_beside() {
  if (torch != nullptr) {
    host::refuse_beside({}, stream_of_torch);
  }
  if (cupys_current_stream != nullptr) {
    host::refuse_beside({}, stream_of_cupy);
  }
}

} // namespace

bool core::is_free_beside() noexcept {
  return python.PyDict_Size(python.PyImport_GetModuleDict()) == known_modules &&
         guarded(refuse_beside) == CORE_OK;
}

void core_py_others(std::int64_t modules, const void *torch_functions, void *cupy_function) {
  torch = dlpack::compatible(static_cast<const dlpack::Exchange *>(torch_functions));
  if (cupys_current_stream == nullptr && cupy_function != python.none) {
    python.Py_IncRef(cupy_function);
    cupys_current_stream = cupy_function;
  }
  known_modules = modules;
}

core_status core_py_refuse_beside() { return core::guarded(refuse_beside); }
