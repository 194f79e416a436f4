#include "error.hpp"

#include <array>
#include <cstdio>
#include <new>

#include <host/functions.hpp>

namespace {

/// Of fixed size, because there may be no memory left to keep it in.
thread_local std::array<char, 2048> message{};

core_status keep(core_status status, const char *what) noexcept {
  std::snprintf(message.data(), message.size(), "%s", what);
  return status;
}

} // namespace

core_status core::failure() noexcept {
  try {
    throw;
  } catch (const host::UnsupportedDType &error) {
    return keep(CORE_DTYPE_ERROR, error.what());
  } catch (const host::TypeError &error) {
    return keep(CORE_TYPE_ERROR, error.what());
  } catch (const host::ValueError &error) {
    return keep(CORE_VALUE_ERROR, error.what());
  } catch (const host::OverflowError &error) {
    return keep(CORE_OVERFLOW_ERROR, error.what());
  } catch (const host::Interrupted &) {
    return keep(CORE_INTERRUPTED, "interrupted");
  } catch (const host::MemoryError &error) {
    return keep(CORE_MEMORY_ERROR, error.what());
  } catch (const BufferError &error) {
    return keep(CORE_BUFFER_ERROR, error.what());
  } catch (const std::bad_alloc &) {
    return keep(CORE_MEMORY_ERROR, "out of memory");
  } catch (const std::exception &error) {
    return keep(CORE_RUNTIME_ERROR, error.what());
  } catch (...) {
    return keep(CORE_RUNTIME_ERROR, "an unknown C++ exception");
  }
}

const char *core_error() { return message.data(); }
