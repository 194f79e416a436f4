// The attributes of a `Buffer`, as Python sees them.
#pragma once

#include "buffer.hpp"
#include "object.hpp"

namespace python {

Object shape(const Buffer &buffer);
Object typestr(const Buffer &buffer);
Object nbytes(const Buffer &buffer);
Object ptr(const Buffer &buffer);
Object memory(const Buffer &buffer);
Object device(const Buffer &buffer);
Object repr(const Buffer &buffer);

/// `__cuda_array_interface__`; an AttributeError without a GPU.
Object interface(const Buffer &buffer);

} // namespace python
