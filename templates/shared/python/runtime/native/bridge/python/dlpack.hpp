// DLPack, both ways.
//
// https://dmlc.github.io/dlpack/latest/python_spec.html
#pragma once

#include <memory>
#include <optional>

#include <host/interop.hpp>

#include "argument.hpp"
#include "object.hpp"

namespace python {

/// The array that the object exports; none when it exports none.
std::optional<Argument> import_dlpack(PyObject *object, Asked &asked);

/// A capsule of a part of a block. It keeps the block alive, and not the Python object: its
/// deleter needs no interpreter and can run on any thread.
Object export_dlpack(host::dlpack::Export tensor, std::shared_ptr<host::Block> block,
                     bool versioned);

} // namespace python
