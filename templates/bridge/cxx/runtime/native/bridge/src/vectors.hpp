// The functions of the package for C++ code whose arrays are vectors, and loops on Rust's
// threads.
//
//   host::CuVec<float> x(1000, 1), y(1000);
//   host::axpy(2, x, y); // on the GPU if there is one, without a copy
#pragma once

#include <utility>
#include <vector>

#include <host/cuvec.hpp>

#include "rust.hpp"

namespace host {

template <typename T, typename A> rust::Slice<const T> slice(const std::vector<T, A> &vector) {
  return {vector.data(), vector.size()};
}

template <typename T, typename A> rust::Slice<T> slice(std::vector<T, A> &vector) {
  return {vector.data(), vector.size()};
}

/// Adds `a * x` to `y`, for float and double. `y` must not be `x`.
template <typename T, typename A, typename B>
void axpy(T a, const std::vector<T, A> &x, std::vector<T, B> &y) {
  checked([&] { rs::axpy(a, slice(x), slice(y)); });
}

/// The sum of the products of the elements of `x` and `y`, for float and double.
template <typename T, typename A, typename B>
double dot(const std::vector<T, A> &x, const std::vector<T, B> &y) {
  return checked([&] { return rs::dot(slice(x), slice(y)); });
}

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
