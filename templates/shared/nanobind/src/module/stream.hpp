// The `stream` argument.
#pragma once

#include <optional>

#include <host/stream.hpp>
#include <nanobind/nanobind.h>

/// A CUDA stream by its handle, or by an object that knows it; none for None. Throws the error
/// that the caller is to get.
std::optional<host::Stream> read_stream(nanobind::handle object);

/// Lets functions have parameters of this type.
template <> struct nanobind::detail::type_caster<std::optional<host::Stream>> {
  NB_TYPE_CASTER(std::optional<host::Stream>, const_name("object"))

  /// Not `noexcept`, as for arrays.
  bool from_python(handle object, uint32_t /*flags*/, cleanup_list * /*cleanup*/) {
    value = read_stream(object);
    return true;
  }
};
