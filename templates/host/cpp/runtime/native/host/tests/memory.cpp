#include <host/memory.hpp>

#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <host/error.hpp>

#include "memory/held.hpp"
#include "memory/pool.hpp"
#include "test.hpp"

TEST(classes_hold_what_they_are_for) {
  constexpr std::size_t PAGE = 4096;
  CHECK(host::pool::class_of(0) == PAGE);
  CHECK(host::pool::class_of(PAGE) == PAGE);
  CHECK(host::pool::class_of(PAGE + 1) == 2 * PAGE);
  for (const std::size_t bytes :
       {1UL, 5000UL, 32'769UL, 70'000UL, (1UL << 20U) + 1, 100'000'007UL}) {
    const std::size_t size = host::pool::class_of(bytes);
    CHECK(size >= bytes && size % PAGE == 0);
    CHECK(bytes < 8 * PAGE || size - bytes <= bytes / 8);
  }
  CHECK_THROWS(host::pool::class_of(std::numeric_limits<std::size_t>::max()), host::MemoryError,
               "cannot allocate");
}

TEST(freed_memory_is_used_again) {
  constexpr std::size_t LARGE = std::size_t{6} << 20U;
  const auto before = host::memory_statistics().used;
  const auto address = host::Block::allocate(LARGE)->address();
  CHECK(host::memory_statistics().used == before);
  CHECK(host::Block::allocate(LARGE - 1)->address() == address);
}

TEST(chunks_of_a_slab_do_not_overlap) {
  std::vector<std::shared_ptr<host::Block>> blocks;
  blocks.reserve(50);
  for (int i = 0; i < 50; ++i) {
    blocks.push_back(host::Block::zeroed(100'000));
  }
  for (const auto &a : blocks) {
    for (const auto &b : blocks) {
      CHECK(a == b || a->address() + a->size() <= b->address() ||
            b->address() + b->size() <= a->address());
    }
  }
}

TEST(all_memory_can_be_given_back) {
  host::Block::zeroed(1000);
  host::Block::zeroed(std::size_t{3} << 20U)->expose();
  host::empty_cache();
  CHECK(host::memory_statistics().held == host::memory_statistics().used);
}

TEST(large_sizes_are_exact) {
  constexpr std::size_t GIB = std::size_t{1} << 30U;
  CHECK(host::pool::class_of(41 * GIB / 2) == 41 * GIB / 2);
  CHECK(host::pool::class_of(20 * GIB + 1) == 20 * GIB + 4096);
}

TEST(a_large_block_serves_for_one_that_is_a_little_smaller) {
  constexpr std::size_t LARGE = std::size_t{80} << 20U;
  host::empty_cache();
  const auto address = host::Block::allocate(LARGE)->address();
  const auto held = host::memory_statistics().held;
  CHECK(host::Block::allocate(LARGE - LARGE / 10)->address() == address);
  CHECK(host::Block::allocate(LARGE / 8 * 7 - 4096)->address() != address);
  CHECK(host::memory_statistics().held > held);
  host::empty_cache();
}

TEST(slabs_are_cut_without_a_rest) {
  for (const std::size_t bytes : {4096UL, 700'000UL, 1UL << 20U}) {
    host::empty_cache();
    std::vector<std::shared_ptr<host::Block>> blocks;
    const auto before = host::memory_statistics();
    do {
      blocks.push_back(host::Block::allocate(bytes));
    } while (host::memory_statistics().held - before.held >
             host::memory_statistics().used - before.used);
    CHECK(host::memory_statistics().held - before.held <= std::size_t{2} << 20U);
  }
}

TEST(an_error_has_the_number_that_was_asked_for) {
  for (const std::size_t bytes : {(1UL << 50U) + 1, std::numeric_limits<std::size_t>::max() - 1}) {
    CHECK_THROWS(host::Block::allocate(bytes), host::MemoryError,
                 "cannot allocate " + std::to_string(bytes) + " bytes");
  }
}

TEST(impossible_sizes_are_an_error) {
  CHECK_THROWS(host::Block::allocate(std::size_t{1} << 60U), host::MemoryError, "cannot allocate");
}

TEST(names_are_checked) {
  CHECK(host::memory_kind("pinned") == host::MemoryKind::Pinned);
  CHECK_THROWS(host::memory_kind("moon"), host::ValueError, R"("managed" or "pinned")");
  CHECK_THROWS(host::side("moon"), host::ValueError, R"("device" or "host")");
}

TEST(blocks_are_held_until_their_graph_ends) {
  const auto first = host::Block::allocate(1);
  const auto second = host::Block::allocate(1);
  const auto hold = [](const std::shared_ptr<host::Block> &block) {
    const host::Life life;
    host::hold(life, {block});
    return life.share();
  };
  void *const first_ends = hold(first);
  void *const second_ends = hold(second);
  const auto owners = [&] { return std::pair(first.use_count(), second.use_count()); };
  host::let_go();
  CHECK(owners() == std::pair(2L, 2L));
  std::thread([second_ends] { host::Life::end(second_ends); }).join();
  host::let_go();
  CHECK(owners() == std::pair(2L, 1L));
  host::Life::end(first_ends);
  host::empty_cache();
  CHECK(owners() == std::pair(1L, 1L));
}
