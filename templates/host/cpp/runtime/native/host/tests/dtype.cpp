#include <host/dtype.hpp>

#include "test.hpp"

using host::DType;

TEST(typestr_and_back) {
  for (int index = 0; index < 14; ++index) {
    const auto dtype = static_cast<DType>(index);
    CHECK(host::dtype_from_typestr(host::typestr(dtype)) == dtype);
    CHECK(host::dtype_from_kind(host::kind(dtype), host::size(dtype)) == dtype);
    CHECK(host::dtype_from_format(host::format(dtype), host::size(dtype)) == dtype);
  }
}

TEST(foreign_byte_order_and_unknown_types_have_no_dtype) {
  for (const char *typestr : {">f4", ">c8", "<c4", "<c32", "<f16", "|V8", "", "<", "f4", "<fx"}) {
    CHECK(!host::dtype_from_typestr(typestr));
  }
}

TEST(formats_of_the_buffer_protocol) {
  CHECK(host::dtype_from_format("l", 8) == DType::I64);
  CHECK(host::dtype_from_format("@d", 8) == DType::F64);
  CHECK(host::dtype_from_format("Zf", 8) == DType::C64);
  CHECK(!host::dtype_from_format("Zf", 4));
  CHECK(!host::dtype_from_format(">f", 4));
  CHECK(!host::dtype_from_format("", 1));
}

TEST(types_of_cpp) {
  CHECK(host::dtype_of<float>() == DType::F32);
  CHECK(host::size(host::dtype_of<std::int64_t>()) == sizeof(std::int64_t));
}
