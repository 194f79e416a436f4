// A call of XLA's, as a function takes it.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include <host/functions.hpp>
#include <host/inplace_vector.hpp>

#include "abi.hpp"
#include "number.hpp"

namespace host::xla {

/// Buffers of XLA's, one after the other.
class Row {
public:
  explicit Row(const Buffers &buffers) : buffers_(buffers) {}
  const Buffer &next();

private:
  const Buffers &buffers_;
  std::int64_t place_ = 0;
};

/// Throws `NotHere`, or as `locate` does, for a call that is nothing for a function.
class Call {
public:
  /// On a GPU, with the stream that the program runs on.
  Call(const Frame &frame, std::optional<Stream> stream);

  /// Its place among all.
  std::size_t function() const { return function_; }
  const Given *given() const { return given_.begin(); }

private:
  void give(const Parameter &parameter, std::string_view word);
  const Array &array(const Buffer &buffer, bool is_written);

  std::optional<Stream> stream_;
  std::optional<int> gpu_;
  Row arguments_, results_;
  std::size_t function_ = 0;
  InplaceVector<Array, MAX_ARGUMENTS> arrays_;
  InplaceVector<Known, MAX_ARGUMENTS> numbers_;
  InplaceVector<Given, MAX_ARGUMENTS> given_;
};

} // namespace host::xla
