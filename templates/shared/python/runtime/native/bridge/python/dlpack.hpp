// DLPack, both ways.
//
// https://dmlc.github.io/dlpack/latest/python_spec.html
#pragma once

#include <memory>

#include <host/interop.hpp>

#include "argument.hpp"
#include "object.hpp"

namespace python {

/// Reads the array that the object exports; false when it exports none.
bool import_dlpack(PyObject *object, Asked &asked, Reading &reading);

/// The same of an object of CuPy's class of arrays, once that was seen; false for others.
bool import_cupys_again(PyObject *object, Asked &asked, Reading &reading);

/// The same of an object that the last function has borrowed the array of, which is not borrowed.
bool import_cupys_to_own(PyObject *object, Asked &asked, Reading &reading);

/// A capsule of a part of a block. It keeps the block alive, and not the Python object: its
/// deleter needs no interpreter and can run on any thread.
Object export_dlpack(host::dlpack::Export tensor, std::shared_ptr<host::Block> block,
                     bool versioned);

} // namespace python
