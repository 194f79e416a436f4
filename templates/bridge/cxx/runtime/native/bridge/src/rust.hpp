// Calls of Rust, and what they take and give.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include <bridge/src/lib.rs.h>
#include <host/array.hpp>
#include <host/error.hpp>
#include <host/functions.hpp>
#include <rust/cxx.h>

namespace host {

/// Runs a call of Rust, whose errors become those of `host/error.hpp`.
template <typename Call> auto checked(Call &&call) {
  try {
    return std::forward<Call>(call)();
  } catch (const rust::Error &error) {
    switch (rs::error_kind()) {
    case rs::ErrorKind::Type:
      throw TypeError(error.what());
    case rs::ErrorKind::Value:
      throw ValueError(error.what());
    case rs::ErrorKind::Overflow:
      throw OverflowError(error.what());
    case rs::ErrorKind::Interrupted:
      throw Interrupted();
    case rs::ErrorKind::Memory:
      throw MemoryError(error.what());
    default:
      throw RuntimeError(error.what());
    }
  }
}

/// Rust has no std::optional: it says -1 for no GPU.
inline std::optional<int> index_of(int gpu) { return gpu < 0 ? std::nullopt : std::optional(gpu); }

inline rs::Stream to_rust(std::optional<Stream> stream) {
  return {stream.has_value(), stream.value_or(Stream()).handle};
}

/// The array as Rust borrows it. `array` must outlive the result.
rs::Array to_rust(const Array &array);

/// What the pool gives, as the interface has it.
std::shared_ptr<Block> to_block(rust::Box<rs::Block> block);

} // namespace host
