// One call of a declared function, from Python's objects to Python's objects.
#pragma once

#include "callable.hpp"
#include "object.hpp"

namespace python {

/// Calls the function with the arguments that were matched.
Object converse(const Callable &callable, const Arguments &matched);

/// Sets what makes an array of a buffer, for results.
void set_array_factory(PyObject *factory);

} // namespace python
