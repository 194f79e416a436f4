// What exporters of DLPack have: attributes, and tensors that they hand out.
#pragma once

#include <host/interop.hpp>
#include <nanobind/nanobind.h>

namespace nb = nanobind;

/// A name of an attribute, to be made once and kept. Making it takes longer than looking it up.
inline PyObject *interned(const char *name) {
  PyObject *made = PyUnicode_InternFromString(name);
  if (made == nullptr) {
    nb::raise_python_error();
  }
  return made;
}

/// The attribute of that name; an invalid object when there is none. Other errors than that are
/// passed on.
inline nb::object attribute(nb::handle object, PyObject *name) {
  PyObject *found = PyObject_GetAttr(object.ptr(), name);
  if (found == nullptr) {
    if (PyErr_ExceptionMatches(PyExc_AttributeError) == 0) {
      nb::raise_python_error();
    }
    PyErr_Clear();
  }
  return nb::steal(found);
}

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
