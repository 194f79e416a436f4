#include "dtype.hpp"

#include <string>

#include "error.hpp"

namespace core {

host::DType dtype_of_typestr(const char *typestr) {
  if (const auto dtype = host::dtype_from_typestr(typestr)) {
    return *dtype;
  }
  throw host::UnsupportedDType("type \"" + std::string(typestr) + "\"");
}

core_array array_of(host::DType dtype) {
  core_array array{};
  array.two = 2;
  array.kind = host::kind(dtype);
  array.itemsize = static_cast<std::int32_t>(host::size(dtype));
  array.flags = CORE_NATIVE_ORDER;
  return array;
}

} // namespace core

core_status core_dtype_of_typestr(const char *typestr, core_array *result) {
  return core::guarded([=] { *result = core::array_of(core::dtype_of_typestr(typestr)); });
}

core_status core_dtype_of_format(const char *format, uint64_t itemsize, core_array *result) {
  return core::guarded([=] {
    const auto dtype = host::dtype_from_format(format, itemsize);
    if (!dtype) {
      throw host::UnsupportedDType("format \"" + std::string(format) + "\"");
    }
    *result = core::array_of(*dtype);
  });
}
