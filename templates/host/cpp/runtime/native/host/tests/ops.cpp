// What the runtime itself does with arrays.
#include <host/ops.hpp>

#include <numeric>
#include <utility>
#include <vector>

#include <host/cuvec.hpp>
#include <host/error.hpp>

#include "call.hpp"
#include "test.hpp"

TEST(assign_copies) {
  std::vector<float> x(100);
  std::iota(x.begin(), x.end(), 0.0F);
  std::vector<float> y(100);
  host::assign(plain(x), plain(y));
  CHECK(x == y);
  host::CuVec<float> vector(100);
  host::assign(plain(x), host::array(vector));
  CHECK(vector.back() == 99.0F);
}

TEST(assign_names_what_is_wrong) {
  std::vector<float> x(4);
  std::vector<float> y(5);
  CHECK_THROWS(host::assign(plain(x), plain(y)), host::ValueError,
               "x and y must have the same shape, not (4,) and (5,)");
  CHECK_THROWS(host::assign(plain(x), plain(x)), host::ValueError, "x and y overlap in memory");
  std::vector<int> whole(4);
  CHECK_THROWS(host::assign(plain(whole), plain(x)), host::TypeError,
               "x and y must have the same dtype, not int32 and float32");
  host::Array array = plain(y, host::Shape{4});
  array.contiguous = false;
  CHECK_THROWS(host::assign(plain(x), array), host::ValueError, "numpy.ascontiguousarray(y)");
  array.contiguous = true;
  array.writable = false;
  CHECK_THROWS(host::assign(plain(x), array), host::ValueError, "y is written to");
  array.writable = true;
  array.address += 2;
  CHECK_THROWS(host::assign(plain(x), array), host::ValueError, "y is not aligned");
}
