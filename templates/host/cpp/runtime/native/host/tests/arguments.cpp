// The checks of a call, and what they say: dtypes, layout, overlap and devices.
#include <complex>
#include <utility>
#include <vector>

#include <host/error.hpp>

#include "call.hpp"
#include "test.hpp"

using host::Array;
using host::TypeError;
using host::ValueError;

TEST(an_array_and_a_number_are_not_taken_for_each_other) {
  const std::vector<float> x(4);
  CHECK_THROWS(call("axpy", {plain(x), plain(x), plain(x)}), TypeError,
               "a must be a number, not an array");
  CHECK_THROWS(call("axpy", {1, 2, plain(x)}), TypeError, "x must be an array, not a number");
  CHECK_THROWS(call("axpy", {1, plain(x)}), TypeError, "y is missing");
  CHECK_THROWS(call("axpy", {{}, plain(x), plain(x)}), TypeError, "a is missing");
}

TEST(a_dtype_is_one_of_those_declared) {
  const std::vector<int> whole(4);
  const std::vector<float> x(4);
  const std::vector<double> y(4);
  CHECK_THROWS(call("dot", {plain(whole), plain(x)}), TypeError,
               "x has dtype int32, but must have float32 or float64");
  CHECK_THROWS(call("dot", {plain(x), plain(whole)}), TypeError,
               "y has dtype int32, but must have float32 or float64");
  CHECK_THROWS(call("dot", {plain(x), plain(y)}), TypeError,
               "x and y must have the same dtype, not float32 and float64");
  CHECK_THROWS(call("histogram", {plain(y)}), TypeError,
               "x has dtype float64, but must have float32");
}

TEST(each_dtype_is_compared_with_its_list_before_with_the_others) {
  const std::vector<double> x(4);
  const std::vector<int> y(4);
  CHECK_THROWS(call("dot", {plain(x), plain(y)}), TypeError, "y has dtype int32, but must have");
}

TEST(the_first_array_of_a_variable_decides) {
  const std::vector<std::complex<double>> a{1.0, {0.0, 1.0}};
  const std::vector<std::complex<double>> x{{0.0, 2.0}, 3.0};
  const auto y = call("gemv", {plain(a, host::Shape{1, 2}), plain(x), {}, 0});
  CHECK(y.at(0).dtype == host::DType::C128);
  CHECK(y.at(0).elements<std::complex<double>>()[0] == std::complex<double>(0.0, 5.0));
}

TEST(two_variables_are_two_dtypes) {
  const std::vector<int> x{1, -2, 3, 4};
  std::vector<double> reals(4);
  std::vector<std::complex<float>> complex(4);
  const host::Shape square{2, 2};
  call("cast", {plain(x, square), plain(reals, square)});
  call("cast", {plain(x, square), plain(complex, square)});
  CHECK(reals[1] == -2.0 && complex[3] == 4.0F);
  std::vector<float> other(4);
  CHECK_THROWS(call("cast", {plain(x, square), plain(other, square)}), TypeError,
               "y has dtype float32, but must have float64 or int64 or complex64");
}

TEST(layout_is_named_with_the_cure) {
  const std::vector<float> x(4);
  Array array = plain(x);
  array.contiguous = false;
  CHECK_THROWS(call("dot", {plain(x), array}), ValueError,
               "y is not C-contiguous; pass a copy that is, such as "
               "numpy.ascontiguousarray(y)");
  array.contiguous = true;
  array.address += 2;
  array.shape = {3};
  CHECK_THROWS(call("dot", {array, array}), ValueError,
               "x is not aligned; pass a copy that is, made by x.copy()");
}

TEST(what_is_written_is_neither_constant_nor_shared) {
  std::vector<float> x(4);
  Array array = plain(x);
  array.writable = false;
  CHECK_THROWS(call("axpy", {1, plain(x), array}), ValueError,
               "y is written to, but it is read-only");
  CHECK_THROWS(call("axpy", {1, plain(x), plain(x)}), ValueError,
               "x and y overlap in memory; pass a copy of one of them");
  std::vector<int> both(4);
  CHECK_THROWS(call("swap", {plain(both), plain(both)}), ValueError, "x and y overlap in memory");
  CHECK(call("dot", {array, array}).size() == 1); // what is only read may be shared
}

TEST(an_array_for_a_result_overlaps_with_none) {
  std::vector<float> x(4);
  CHECK_THROWS(call("smooth", {plain(x), plain(x)}), ValueError, "x and out overlap in memory");
}

TEST(overlap_is_of_bytes) {
  std::vector<float> memory(16);
  Array x = plain(memory);
  x.shape = {4};
  Array y = x;
  for (const auto &[start, overlaps] : {std::pair(16, false), std::pair(12, true)}) {
    y.address = x.address + static_cast<std::uintptr_t>(start);
    if (overlaps) {
      CHECK_THROWS(call("axpy", {1, x, y}), ValueError, "overlap");
      CHECK_THROWS(call("axpy", {1, y, x}), ValueError, "overlap");
    } else {
      call("axpy", {1, x, y});
    }
  }
}

TEST(arrays_on_two_gpus_are_refused_by_name) {
  const std::vector<float> memory(8);
  Array x = plain(memory, host::Shape{4});
  x.place = host::InForeignMemory{0};
  Array y = x;
  y.address += 16;
  y.place = host::InForeignMemory{1};
  CHECK_THROWS(call("dot", {x, y}), ValueError, "GPU 0 and GPU 1");
}
