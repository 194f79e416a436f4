// Checks of arguments, with messages that say how to mend them.
#pragma once

#include <initializer_list>

#include <host/array.hpp>

namespace host::checks {

/// An argument, by the name that messages give it.
struct Argument {
  const char *name;
  const Array &array;
};

/// The array has one of the dtypes `supported`.
void dtype(Argument x, std::initializer_list<DType> supported);

void same_dtype(Argument x, Argument y);

void same_shape(Argument x, Argument y);

/// The elements lie one after the other, each at a multiple of its size.
void contiguous(Argument x);

void writable(Argument x);

/// No byte belongs to both arrays. They must be contiguous.
void disjoint(Argument x, Argument y);

} // namespace host::checks
