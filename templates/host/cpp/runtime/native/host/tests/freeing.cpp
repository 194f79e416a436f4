// Where there is no memory left, memory can still be given back.
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include <host/cuvec.hpp>
#include <host/interop.hpp>
#include <host/memory.hpp>

#include "test.hpp"

namespace {

thread_local bool exhausted = false;

/// As long as it lives, `new` fails on this thread.
struct Exhausted {
  Exhausted() { exhausted = true; }
  ~Exhausted() { exhausted = false; }
  Exhausted(const Exhausted &) = delete;
  Exhausted &operator=(const Exhausted &) = delete;
};

} // namespace

void *operator new(std::size_t bytes) {
  void *memory = exhausted ? nullptr : std::malloc(bytes); // NOLINT(*-no-malloc)
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  return memory;
}

void operator delete(void *memory) noexcept { std::free(memory); } // NOLINT
void operator delete(void *memory, std::size_t /*n*/) noexcept { operator delete(memory); }

TEST(freeing_takes_no_memory) {
  constexpr std::size_t LARGE = std::size_t{3} << 20U;
  std::vector<std::shared_ptr<host::Block>> blocks;
  blocks.reserve(3001);
  for (std::size_t i = 0; i < 3000; ++i) {
    blocks.push_back(host::Block::allocate(1 + i * 100));
  }
  blocks.push_back(host::Block::allocate(LARGE));
  blocks.back()->expose();
  host::CuVec<float> vector(1000);
  const auto used = host::memory_statistics().used;
  {
    const Exhausted now;
    for (auto &block : blocks) {
      block.reset();
    }
    vector = host::CuVec<float>();
    host::empty_cache();
  }
  CHECK(host::memory_statistics().used < used - LARGE);
}

TEST(a_tensor_is_deleted_without_memory) {
  const auto block = host::Block::allocate(24);
  auto *tensor = host::dlpack::export_versioned(
      {block->address(), {2, 3}, {3, 1}, host::DType::F32, false, {1, 0}, false}, block);
  const Exhausted now;
  tensor->deleter(tensor);
}
