// DLPack's functions for C.
#pragma once

#include "core.h"

namespace core {

/// As `core_py_exchange`, which hands on what has gone wrong before.
core_status exchange(const void *functions, void *object, core_array **result);

} // namespace core
