// The attributes of a `Buffer`, as Python sees them.
#pragma once

#include <Python.h>

namespace python {

/// The table of the class, which ends with an empty entry.
extern PyGetSetDef buffer_attributes[];

} // namespace python
