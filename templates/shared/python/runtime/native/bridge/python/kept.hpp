// Arrays of other libraries that the GPU still uses when a call has returned.
#pragma once

#include <vector>

#include <host/stream.hpp>

#include "argument.hpp"
#include "object.hpp"

namespace python {

/// An argument of a call, with its object.
struct Kept {
  Object object;
  Argument argument;
};

/// Keeps the arguments of a call on this stream, which has not been waited for, until it is over.
/// There is at least one.
void keep(host::Stream stream, std::vector<Kept> arguments);

/// Lets go of those whose calls are over. What is freed may run any code.
void let_go();

} // namespace python
