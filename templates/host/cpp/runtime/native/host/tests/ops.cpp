#include <host/ops.hpp>

#include <numeric>

#include <host/cuvec.hpp>
#include <host/error.hpp>

#include "test.hpp"

using host::Array;

namespace {

/// A float32 array of the caller's.
Array plain(std::vector<float> &values) {
  Array array;
  array.address = reinterpret_cast<std::uintptr_t>(values.data());
  array.shape = {values.size()};
  return array;
}

} // namespace

TEST(axpy_and_dot_of_plain_memory) {
  for (const std::size_t n : {1UL, 1000UL, 3UL << 20U}) {
    std::vector<float> x(n, 2.0F);
    std::vector<float> y(n, 1.0F);
    host::axpy(3.0, plain(x), plain(y));
    CHECK(y.front() == 7.0F && y.back() == 7.0F);
    CHECK(host::dot(plain(x), plain(y)) == 14.0 * static_cast<double>(n));
  }
}

TEST(assign_copies) {
  std::vector<float> x(100);
  std::iota(x.begin(), x.end(), 0.0F);
  std::vector<float> y(100);
  host::assign(plain(x), plain(y));
  CHECK(x == y);
}

TEST(messages_name_the_arguments) {
  std::vector<float> x(4);
  std::vector<float> y(5);
  CHECK_THROWS(host::axpy(1, plain(x), plain(y)), host::ValueError,
               "x and y must have the same shape, not (4,) and (5,)");
  CHECK_THROWS(host::axpy(1, plain(x), plain(x)), host::ValueError, "x and y overlap in memory");
  Array array = plain(x);
  array.dtype = host::DType::I32;
  CHECK_THROWS(host::dot(array, plain(x)), host::TypeError,
               "x has dtype int32, but must have float32 or float64");
  array = plain(y);
  array.contiguous = false;
  CHECK_THROWS(host::dot(plain(x), array), host::ValueError, "numpy.ascontiguousarray(y)");
  array = plain(y);
  array.shape = {4};
  array.writable = false;
  CHECK_THROWS(host::axpy(1, plain(x), array), host::ValueError, "y is written to");
  array.address += 2;
  CHECK_THROWS(host::dot(plain(x), array), host::ValueError, "y is not aligned");
}

TEST(overlap_is_of_bytes) {
  std::vector<float> memory(16);
  Array x = plain(memory);
  x.shape = {4};
  Array y = x;
  for (const auto &[start, overlaps] : {std::pair(16, false), std::pair(12, true)}) {
    y.address = x.address + static_cast<std::uintptr_t>(start);
    if (overlaps) {
      CHECK_THROWS(host::axpy(1, x, y), host::ValueError, "overlap");
    } else {
      host::axpy(1, x, y);
    }
  }
}

TEST(arrays_on_two_gpus_are_refused_by_name) {
  std::vector<float> memory(8);
  Array x = plain(memory);
  x.shape = {4};
  x.place = host::InForeignMemory{0};
  Array y = x;
  y.address += 16;
  y.place = host::InForeignMemory{1};
  CHECK_THROWS(host::dot(x, y), host::ValueError, "GPU 0 and GPU 1");
}
