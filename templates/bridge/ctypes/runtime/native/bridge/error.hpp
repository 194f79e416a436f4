// Exceptions end here: C gets a status, and a message to ask for.
#pragma once

#include <host/error.hpp>

#include "core.h"

namespace core {

/// An exporter that cannot be used: `BufferError`.
class BufferError : public host::Error {
  using Error::Error;
};

/// Keeps the message of the exception that is being handled; its status.
core_status failure() noexcept;

/// Runs a function, and turns what it throws into a status.
template <typename Function> core_status guarded(Function function) noexcept {
  try {
    function();
    return CORE_OK;
  } catch (...) {
    return failure();
  }
}

} // namespace core
