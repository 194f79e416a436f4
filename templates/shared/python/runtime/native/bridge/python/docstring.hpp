// What Python shows of a declared function.
#pragma once

#include <string>

#include <host/functions.hpp>

namespace python {

/// `name(a, x, y, *, stream=None)`
std::string signature_of(const host::Function &function);

/// The docstring of a built-in function: its signature, where `inspect.signature` finds it, what
/// the owner wrote, and the parameters.
std::string docstring_of(const host::Function &function);

} // namespace python
