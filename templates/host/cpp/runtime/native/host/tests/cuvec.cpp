// Vectors in memory of the host and the GPU, used as any other std::vector.
#include <host/cuvec.hpp>

#include <algorithm>
#include <numeric>

#include <host/error.hpp>
#include <host/ops.hpp>

#include "test.hpp"

using host::CuVec;

TEST(a_vector_is_an_argument) {
  CuVec<float> x(1000, 1.0F);
  CuVec<float> y(1000, 2.0F);
  host::axpy(3.0, host::array(x), host::array(y));
  CHECK(std::all_of(y.begin(), y.end(), [](float value) { return value == 5.0F; }));
  CHECK(host::dot(host::array(x), host::array(y)) == 5000.0);
}

TEST(a_kernel_sees_the_address_of_a_vector) {
  const CuVec<double> x(10);
  CHECK(host::address(host::array(x)) == reinterpret_cast<std::uintptr_t>(x.data()));
}

TEST(a_constant_vector_is_not_written_to) {
  CuVec<float> x(10);
  const CuVec<float> y(10);
  CHECK_THROWS(host::axpy(1, host::array(x), host::array(y)), host::ValueError, "read-only");
}

TEST(a_vector_grows_moves_and_is_copied) {
  CuVec<int> x;
  for (int i = 0; i < 10'000; ++i) {
    x.push_back(i);
  }
  CuVec<int> copy = x;
  const int *data = x.data();
  const CuVec<int> moved = std::move(x);
  CHECK(moved.data() == data && copy == moved);
  CHECK(std::accumulate(copy.begin(), copy.end(), 0) == 49'995'000);
}

TEST(a_vector_gives_its_memory_back) {
  const auto before = host::memory_statistics().used;
  {
    const CuVec<float> x(100'000);
    CHECK(host::memory_statistics().used >= before + x.size() * sizeof(float));
  }
  CHECK(host::memory_statistics().used == before);
}

TEST(an_empty_vector_is_an_empty_array) {
  CuVec<float> x;
  host::axpy(1, host::array(x), host::array(x));
  CHECK(host::dot(host::array(x), host::array(x)) == 0.0);
}
