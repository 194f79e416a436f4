// Loops of C++ on Rust's threads.
#pragma once

#include <cstddef>
#include <utility>

#include "rust.hpp"

namespace host {

/// Calls `body(begin, end)` for the parts of 0..count, on the threads that Rust works with, and
/// throws what it throws first.
template <typename Body> void in_parallel(std::size_t count, Body &&body) {
  const Loop loop(std::forward<Body>(body));
  try {
    rs::in_parallel(count, loop);
  } catch (const rust::Error &error) {
    loop.rethrow();
    throw RuntimeError(error.what());
  }
}

} // namespace host
