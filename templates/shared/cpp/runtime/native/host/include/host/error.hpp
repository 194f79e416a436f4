// What can go wrong, by the Python exception it becomes.
#pragma once

#include <stdexcept>
#include <string>

namespace host {

class Error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A wrong dtype or kind of object: `TypeError`.
class TypeError : public Error {
  using Error::Error;
};

/// Elements of a type that is none of `DType`: `TypeError`.
class UnsupportedDType : public TypeError {
public:
  explicit UnsupportedDType(const std::string &type)
      : TypeError("arrays of " + type +
                  " are not supported; use bool, an integer, float16, float32, float64, complex64 "
                  "or complex128, in native byte order") {}

  /// The same, for the caller who knows the array by this name.
  TypeError named(const std::string &name) const { return TypeError{name + ": " + what()}; }
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
