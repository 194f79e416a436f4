// What can go wrong, by the Python exception it becomes.
#pragma once

#include <stdexcept>

namespace host {

class Error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A wrong dtype or kind of object: `TypeError`.
class TypeError : public Error {
  using Error::Error;
};

/// A wrong shape, layout, place or value: `ValueError`.
class ValueError : public Error {
  using Error::Error;
};

/// A number that its dtype cannot hold: `OverflowError`.
class OverflowError : public Error {
  using Error::Error;
};

/// Not enough memory: `MemoryError`.
class MemoryError : public Error {
  using Error::Error;
};

/// CUDA cannot be used here, or has reported an error: `RuntimeError`.
class RuntimeError : public Error {
  using Error::Error;
};

} // namespace host
