// The shapes of a call's arguments, and those of its results.
#include <cstdint>
#include <limits>
#include <vector>

#include <host/error.hpp>

#include "call.hpp"
#include "test.hpp"

using host::Shape;
using host::ValueError;

TEST(arrays_of_any_shape_have_the_same) {
  const std::vector<float> x(12);
  CHECK_THROWS(call("dot", {plain(x, Shape{3, 4}), plain(x, Shape{4, 3})}), ValueError,
               "x and y must have the same shape, not (3, 4) and (4, 3)");
  CHECK_THROWS(call("dot", {plain(x, Shape{}), plain(x, Shape{1})}), ValueError,
               "x and y must have the same shape, not () and (1,)");
  const std::vector<float> y(13);
  CHECK_THROWS(call("smooth", {plain(x), plain(y)}), ValueError,
               "x and out must have the same shape, not (12,) and (13,)");
}

TEST(an_array_has_as_many_axes_as_declared) {
  const std::vector<float> x(12);
  CHECK_THROWS(call("gemv", {plain(x), plain(x)}), ValueError,
               "a must have 2 dimensions (m, n), not shape (12,)");
  CHECK_THROWS(call("gemv", {plain(x, Shape{3, 4}), plain(x, Shape{2, 2})}), ValueError,
               "x must have 1 dimension (n,), not shape (2, 2)");
}

TEST(extents_of_a_name_agree) {
  const std::vector<float> a(12);
  CHECK_THROWS(call("gemv", {plain(a, Shape{3, 4}), plain(a, Shape{3})}), ValueError,
               "x has shape (3,), but n is 4 in a of shape (3, 4)");
  const std::vector<float> y(4);
  CHECK_THROWS(call("gemv", {plain(a, Shape{3, 4}), plain(y), {}, {}, plain(y)}), ValueError,
               "y has shape (4,), but m is 3 in a of shape (3, 4)");
}

TEST(extents_are_given_by_numbers) {
  const std::vector<float> x(10);
  const std::vector<std::int64_t> counts(3);
  CHECK_THROWS(call("histogram", {plain(x), 64, {}, {}, plain(counts)}), ValueError,
               "counts has shape (3,), but bins is 64");
  CHECK_THROWS(call("histogram", {plain(x), -1}), ValueError, "bins is a size and cannot be -1");
  CHECK(call("histogram", {plain(x)}).at(0).shape == Shape{4}); // as many as the default says
  CHECK(call("histogram", {plain(x), 0}).at(0).shape == Shape{0});
}

TEST(extents_are_fixed_or_calculated) {
  const std::vector<float> points(8);
  CHECK_THROWS(call("rotate", {plain(points, Shape{2, 3}), plain(points, Shape{2, 3})}), ValueError,
               "matrix has shape (2, 3), but must have (3, 3)");
  const std::vector<int> x(5);
  const std::vector<int> less(5);
  CHECK_THROWS(call("pieces", {plain(x), plain(less)}), ValueError,
               "less has shape (5,), but must have (n-1,) = (4,)");
  const std::vector<int> none;
  CHECK_THROWS(call("pieces", {plain(none)}), ValueError, "the extent n-1 of less is negative");
}

TEST(results_have_the_shapes_that_follow) {
  const std::vector<int> x{1, 4, 9, 16, 25};
  const auto results = call("pieces", {plain(x)});
  CHECK(results.size() == 4);
  CHECK((results[0].elements<int>() == std::vector<int>{3, 5, 7, 9}));
  CHECK((results[1].elements<int>() == std::vector<int>{1, 4, 9, 16, 25, -5, -6, -7, -8, -9, -10}));
  CHECK((results[2].elements<int>() == std::vector<int>{1, 9}));
  CHECK(results[3].value.as<std::int64_t>() == 5);
  const std::vector<double> grid(6, 2.0);
  const auto smooth = call("smooth", {plain(grid, Shape{2, 3})});
  CHECK((smooth.at(0).shape == Shape{2, 3}) && smooth[0].elements<double>()[5] == 2.0);
}

TEST(some_results_are_given_and_others_new) {
  const std::vector<int> x{1, 4, 9};
  std::vector<int> half(1);
  const auto results = call("pieces", {plain(x), {}, {}, plain(half)});
  CHECK(results.size() == 3 && half[0] == 1);
  CHECK((results[0].elements<int>() == std::vector<int>{3, 5}));
}

TEST(results_beyond_the_address_space_are_refused) {
  constexpr std::int64_t LARGEST = std::numeric_limits<std::int64_t>::max();
  CHECK_THROWS(call("iota", {LARGEST, 0}), ValueError, "address space");
  CHECK_THROWS(call("iota", {LARGEST / 32, 0}), host::MemoryError, "cannot allocate");
}

TEST(nothing_runs_where_nothing_is_written) {
  std::vector<int> none;
  call("fail", {3, plain(none)});
}
