#include "checks.hpp"

#include <algorithm>
#include <string>

#include <host/error.hpp>

namespace host::checks {

void dtype(Argument x, std::initializer_list<DType> supported) {
  if (std::find(supported.begin(), supported.end(), x.array.dtype) != supported.end()) {
    return;
  }
  std::string names;
  for (const DType dtype : supported) {
    names += (names.empty() ? "" : " or ") + std::string(name(dtype));
  }
  throw TypeError(std::string(x.name) + " has dtype " + std::string(name(x.array.dtype)) +
                  ", but must have " + names);
}

void same_dtype(Argument x, Argument y) {
  if (x.array.dtype != y.array.dtype) {
    throw TypeError(std::string(x.name) + " and " + y.name + " must have the same dtype, not " +
                    std::string(name(x.array.dtype)) + " and " + std::string(name(y.array.dtype)));
  }
}

void same_shape(Argument x, Argument y) {
  if (x.array.shape != y.array.shape) {
    throw ValueError(std::string(x.name) + " and " + y.name + " must have the same shape, not " +
                     to_string(x.array.shape) + " and " + to_string(y.array.shape));
  }
}

void contiguous(Argument x) {
  if (!x.array.contiguous) {
    const std::string name = x.name;
    const bool foreign = std::holds_alternative<InForeignMemory>(x.array.place);
    const std::string copy = foreign ? "" : ", such as numpy.ascontiguousarray(" + name + ")";
    throw ValueError(name + " is not C-contiguous; pass a copy that is" + copy);
  }
  if (x.array.address % size(x.array.dtype) != 0) {
    throw ValueError(std::string(x.name) + " is not aligned; pass a copy that is, made by " +
                     x.name + ".copy()");
  }
}

void writable(Argument x) {
  if (!x.array.writable) {
    throw ValueError(std::string(x.name) + " is written to, but it is read-only");
  }
}

void disjoint(Argument x, Argument y) {
  const std::uintptr_t start = std::max(x.array.address, y.array.address);
  const std::uintptr_t end =
      std::min(x.array.address + x.array.bytes(), y.array.address + y.array.bytes());
  if (start < end) {
    throw ValueError(std::string(x.name) + " and " + y.name +
                     " overlap in memory; pass a copy of one of them");
  }
}

} // namespace host::checks
