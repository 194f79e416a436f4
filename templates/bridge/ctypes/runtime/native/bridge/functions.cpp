// The functions of the package.

#include <host/ops.hpp>

#include "array.hpp"
#include "error.hpp"

using core::guarded;
using core::read;

core_status core_axpy(double a, const core_array *x, const core_array *y,
                      const core_stream *stream) {
  return guarded([=] { host::axpy(a, read(x), read(y), read(stream)); });
}

core_status core_dot(const core_array *x, const core_array *y, const core_stream *stream,
                     double *result) {
  return guarded([=] { *result = host::dot(read(x), read(y), read(stream)); });
}

core_status core_assign(const core_array *x, const core_array *y, const core_stream *stream) {
  return guarded([=] { host::assign(read(x), read(y), read(stream)); });
}

core_status core_address(const core_array *x, uint64_t *result) {
  return guarded([=] { *result = host::address(read(x)); });
}
