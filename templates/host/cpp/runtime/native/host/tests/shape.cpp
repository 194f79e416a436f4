#include <host/shape.hpp>

#include <limits>

#include <host/error.hpp>

#include "test.hpp"

using host::DType;

TEST(counts) {
  const std::size_t largest = std::numeric_limits<std::size_t>::max();
  CHECK(host::count_of({}) == 1);
  CHECK(host::count_of({2, 3}) == 6);
  CHECK(host::count_of({largest, largest, 0}) == 0);
  CHECK(!host::count_of({largest, 2}));
}

TEST(shapes_of_any_rank) {
  host::Shape shape;
  for (std::size_t rank = 0; rank < 9; ++rank) {
    CHECK(shape.size() == rank && shape.end() - shape.begin() == static_cast<std::ptrdiff_t>(rank));
    host::Shape copy = shape;
    CHECK(copy == shape && copy == host::Shape(shape.begin(), shape.end()));
    shape.push_back(rank + 2);
    CHECK(copy != shape && shape[0] == 2 && shape[rank] == rank + 2);
    copy = shape;
    shape.assign(copy.begin(), copy.end());
    CHECK(copy == shape && host::bytes_of(shape, DType::U8) > rank);
  }
}

TEST(sizes_beyond_the_address_space_are_refused) {
  const auto largest = static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max());
  CHECK(host::bytes_of({3}, DType::F64) == 24);
  CHECK(host::bytes_of({largest}, DType::U8) == largest);
  CHECK_THROWS(host::bytes_of({largest}, DType::F32), host::ValueError, "address space");
}

TEST(contiguity_follows_numpy) {
  const host::Shape shape{2, 1, 3};
  CHECK((host::strides_of(shape, DType::F32) == host::Strides{12, 12, 4}));
  CHECK(host::is_contiguous(shape, {12, 999, 4}, DType::F32));
  CHECK(!host::is_contiguous(shape, {4, 12, 8}, DType::F32));
  CHECK(host::is_contiguous({0, 3}, {1, 1}, DType::F32));
  CHECK(host::is_contiguous({}, {}, DType::F32));
}

TEST(shapes_are_shown_as_in_python) {
  CHECK(host::to_string({}) == "()");
  CHECK(host::to_string({3}) == "(3,)");
  CHECK(host::to_string({2, 3}) == "(2, 3)");
}
