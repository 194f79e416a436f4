// Tensors of DLPack, as exporters hand them out.
#pragma once

#include <host/interop.hpp>
#include <nanobind/nanobind.h>

namespace nb = nanobind;

/// Deletes a tensor, of either kind.
template <typename Managed> void give_back(void *loan) {
  auto *managed = static_cast<Managed *>(loan);
  if (managed->deleter != nullptr) {
    managed->deleter(managed);
  }
}

/// The array that a tensor describes. A BufferError when its version is not known here.
inline host::Array read_versioned(const host::dlpack::Versioned &managed) {
  if (managed.major != host::dlpack::MAJOR) {
    throw nb::buffer_error("the array is exported in a version of DLPack that is too new");
  }
  constexpr auto keeps_out =
      host::dlpack::Versioned::READ_ONLY | host::dlpack::Versioned::IS_COPIED;
  return host::dlpack::import(managed.tensor, (managed.flags & keeps_out) == 0);
}
