// Checks of arguments, with messages that say how to mend them.
#pragma once

#include <algorithm>
#include <initializer_list>

#include <host/array.hpp>

namespace host::checks {

/// An argument, by the name that messages give it; an empty one is that of a result.
struct Argument {
  const char *name;
  const Array &array;
};

/// The array has one of the dtypes `supported`.
void dtype(Argument x, std::initializer_list<DType> supported);

// What they throw is apart from them: every call makes these checks, and mostly passes.
[[noreturn]] void refuse_dtypes(Argument x, Argument y);
[[noreturn]] void refuse_shapes(Argument x, Argument y);
[[noreturn]] void refuse_layout(Argument x);
[[noreturn]] void refuse_to_write(Argument x);
[[noreturn]] void refuse_overlap(Argument x, Argument y);

inline void same_dtype(Argument x, Argument y) {
  if (x.array.dtype != y.array.dtype) {
    refuse_dtypes(x, y);
  }
}

inline void same_shape(Argument x, Argument y) {
  if (x.array.shape != y.array.shape) {
    refuse_shapes(x, y);
  }
}

/// The elements lie one after the other, each at a multiple of its size.
inline void contiguous(Argument x) {
  const std::uintptr_t beside = x.array.address & (size(x.array.dtype) - 1); // a power of two
  if (!x.array.contiguous || beside != 0) {
    refuse_layout(x);
  }
}

inline void writable(Argument x) {
  if (!x.array.writable) {
    refuse_to_write(x);
  }
}

/// No byte belongs to both arrays. They must be contiguous.
inline void disjoint(Argument x, Argument y) {
  const std::uintptr_t start = std::max(x.array.address, y.array.address);
  const std::uintptr_t end =
      std::min(x.array.address + x.array.bytes(), y.array.address + y.array.bytes());
  if (start < end) {
    refuse_overlap(x, y);
  }
}

} // namespace host::checks
