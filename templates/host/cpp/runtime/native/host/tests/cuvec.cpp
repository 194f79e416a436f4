// Vectors in memory of the host and the GPU, used as any other std::vector.
#include <host/cuvec.hpp>

#include <numeric>

#include "test.hpp"

using host::CuVec;

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
