// The methods of a `Buffer`.
#pragma once

#include <Python.h>

namespace python {

/// The table of the class, which ends with an empty entry.
extern PyMethodDef buffer_methods[];

} // namespace python
