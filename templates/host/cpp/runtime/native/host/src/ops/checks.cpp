#include "checks.hpp"

#include <algorithm>
#include <string>

#include <host/error.hpp>

namespace host::checks {

namespace {

std::string called(Argument x) { return *x.name == '\0' ? "out" : x.name; }

} // namespace

void dtype(Argument x, std::initializer_list<DType> supported) {
  if (std::find(supported.begin(), supported.end(), x.array.dtype) != supported.end()) {
    return;
  }
  std::string names;
  for (const DType dtype : supported) {
    names += (names.empty() ? "" : " or ") + std::string(name(dtype));
  }
  throw TypeError(called(x) + " has dtype " + std::string(name(x.array.dtype)) +
                  ", but must have " + names);
}

void refuse_dtypes(Argument x, Argument y) {
  throw TypeError(called(x) + " and " + called(y) + " must have the same dtype, not " +
                  std::string(name(x.array.dtype)) + " and " + std::string(name(y.array.dtype)));
}

void refuse_shapes(Argument x, Argument y) {
  throw ValueError(called(x) + " and " + called(y) + " must have the same shape, not " +
                   to_string(x.array.shape) + " and " + to_string(y.array.shape));
}

void refuse_layout(Argument x) {
  const std::string name = called(x);
  if (x.array.contiguous) {
    throw ValueError(name + " is not aligned; pass a copy that is, made by " + name + ".copy()");
  }
  const bool foreign = std::holds_alternative<InForeignMemory>(x.array.place);
  const std::string copy = foreign ? "" : ", such as numpy.ascontiguousarray(" + name + ")";
  throw ValueError(name + " is not C-contiguous; pass a copy that is" + copy);
}

void refuse_to_write(Argument x) {
  throw ValueError(called(x) + " is written to, but it is read-only");
}

void refuse_overlap(Argument x, Argument y) {
  throw ValueError(called(x) + " and " + called(y) +
                   " overlap in memory; pass a copy of one of them");
}

} // namespace host::checks
