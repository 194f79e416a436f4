// Tensors of DLPack, as exporters hand them out.
#pragma once

#include <host/interop.hpp>

#include "error.hpp"

namespace python {

/// Deletes a tensor, of either kind. Needs the GIL.
template <typename Managed> void give_back(void *loan) {
  auto *managed = static_cast<Managed *>(loan);
  if (managed->deleter == nullptr) {
    return;
  }
  // The deleter may run Python code, which must not see the exception that ended the call.
  PyObject *type = nullptr;
  PyObject *value = nullptr;
  PyObject *traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  managed->deleter(managed);
  PyErr_Restore(type, value, traceback);
}

/// A BufferError when the version of a tensor is not known here: all else may be other things.
inline void check_version(const host::dlpack::Versioned &managed) {
  if (managed.major != host::dlpack::MAJOR) {
    raise(PyExc_BufferError, "the array is exported in a version of DLPack that is too new");
  }
}

/// Whether writing to a tensor writes to the object.
inline bool is_writable(const host::dlpack::Versioned &managed) {
  constexpr auto keeps_out =
      host::dlpack::Versioned::READ_ONLY | host::dlpack::Versioned::IS_COPIED;
  return (managed.flags & keeps_out) == 0;
}

} // namespace python
