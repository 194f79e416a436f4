// Arrays and streams of the C interface, as the host has them.
#pragma once

#include <optional>

#include <host/array.hpp>

#include "core.h"

namespace core {

/// An array that this library has read already.
struct Owned : core_array {
  host::Array array;
};

/// Reads an array argument, which the caller knows by its name. Throws `TypeError` for dtypes that
/// are not supported and `ValueError` for nonsense.
host::Array read(const core_array *array, const char *name);

/// None for null.
std::optional<host::Stream> read(const core_stream *stream);

} // namespace core
