// Decides where managed memory lives: the counts, and the signs of the host's use.
#include "memory/habit.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "memory/sight.hpp"
#include "os.hpp"
#include "test.hpp"

using host::Habit;
using host::Side;
using Weight = Habit::Weight;

TEST(calls_in_a_row_move_a_block_once) {
  Habit habit;
  int moves = 0;
  for (int i = 0; i < 1000; ++i) {
    moves += habit.call(Weight::Large, false) ? 1 : 0;
  }
  CHECK(moves == 1);
  CHECK(habit.side() == Side::Device);
}

TEST(a_host_that_is_seen_between_calls_keeps_the_block) {
  Habit habit;
  for (int i = 0; i < 1000; ++i) {
    CHECK(!habit.call(Weight::Large, true));
  }
}

TEST(mistakes_become_rare) {
  Habit habit;
  int moves = 0;
  for (int i = 0; i < 10'000; ++i) {
    moves += habit.call(Weight::Large, habit.side() == Side::Device) == Side::Device ? 1 : 0;
  }
  CHECK(moves <= 13);
}

TEST(a_hint_is_followed_until_the_host_is_seen) {
  Habit habit;
  habit.hint(Side::Device);
  CHECK(!habit.call(Weight::Large, false));
  CHECK(habit.call(Weight::Large, true) == Side::Host);
}

TEST(a_gpu_without_room_is_asked_less_and_less) {
  Habit habit;
  int asked = 0;
  for (int i = 0; i < 10'000; ++i) {
    if (habit.call(Weight::Large, false) == Side::Device) {
      ++asked;
      CHECK(habit.give_up() == Side::Host);
    }
  }
  CHECK(asked <= 13);
  CHECK(!habit.give_up());
}

TEST(rows_that_pay_move_a_block_at_once) {
  Habit habit;
  const auto row = [&habit](int calls) { // the host uses the block, then the GPU
    const auto first = habit.call(Weight::Large, true);
    int later = 0;
    for (int i = 1; i < calls; ++i) {
      later += habit.call(Weight::Large, false) ? 1 : 0;
    }
    return std::pair(first, later);
  };
  CHECK(row(30) == std::pair(std::optional<Side>(), 1));
  CHECK(row(30) == std::pair(std::optional(Side::Device), 0));
  CHECK(row(7) == std::pair(std::optional(Side::Device), 0));
  CHECK(row(30) == std::pair(std::optional(Side::Host), 1));
  CHECK(row(30) == std::pair(std::optional(Side::Device), 0));
}

TEST(a_sample_sees_both_ends_and_the_middle) {
  std::vector<std::uint64_t> block(4096);
  const auto sample = [&block] {
    return host::take_sample(reinterpret_cast<std::uintptr_t>(block.data()),
                             block.size() * sizeof block[0]);
  };
  const auto before = sample();
  for (const std::size_t place : {std::size_t{0}, block.size() - 1}) {
    block[place] = 1;
    CHECK(sample() != before);
    block[place] = 0;
  }
  CHECK(sample() == before);
}

TEST(touched_pages_are_seen) {
  if (!host::os::HAS_PAGE_TABLE) {
    return;
  }
  constexpr std::size_t BYTES = std::size_t{1} << 26U;  // fresh pages, so far only promised
  const std::unique_ptr<char[]> block(new char[BYTES]); // NOLINT(*-avoid-c-arrays): untouched
  const auto address = reinterpret_cast<std::uintptr_t>(block.get());
  CHECK(!host::host_touched(address, BYTES));
  for (std::size_t i = 0; i < BYTES; i += 4096) {
    block[i] = 1;
  }
  CHECK(host::host_touched(address, BYTES));
}

TEST(small_blocks_move_later) {
  for (const auto &[weight, expected] :
       {std::pair(Weight::Large, 3), std::pair(Weight::BesideLarge, 9),
        std::pair(Weight::Small, 33)}) {
    Habit habit;
    int calls = 1;
    while (!habit.call(weight, false)) {
      ++calls;
    }
    CHECK(calls == expected);
  }
}

namespace {

/// The numbers of the calls that ask, in a row that moves a block.
std::vector<int> asking(Weight weight) {
  Habit habit;
  std::vector<int> calls;
  for (int call = 1; call <= 60; ++call) {
    if (habit.asks()) {
      calls.push_back(call);
    }
    habit.call(weight, false);
  }
  return calls;
}

} // namespace

TEST(of_small_blocks_it_is_rarely_asked_who_used_them) {
  CHECK(asking(Weight::Large).size() == 59);
  const auto beside = asking(Weight::BesideLarge);
  CHECK(beside.at(0) == 4 && beside.at(1) == 8);
  const auto small = asking(Weight::Small);
  CHECK(small.at(0) == 16 && small.at(1) == 32);
}

TEST(after_a_move_it_is_asked_at_once) {
  const auto small = asking(Weight::Small);
  CHECK(small.size() == 2 + 16);
  CHECK(small.at(2) == 34 && small.back() == 49);
  const auto beside = asking(Weight::BesideLarge);
  CHECK(std::vector(beside.begin() + 2, beside.begin() + 8) ==
        std::vector({10, 11, 12, 13, 17, 21}));
}

TEST(a_host_that_is_seen_between_small_calls_keeps_the_block) {
  Habit habit;
  for (int i = 0; i < 1000; ++i) {
    CHECK(!habit.call(Weight::Small, habit.asks()));
  }
}

TEST(mistakes_with_small_blocks_are_rarer) {
  Habit habit;
  int moves = 0;
  for (int i = 0; i < 10'000; ++i) {
    const bool used = habit.side() == Side::Device && habit.asks();
    moves += habit.call(Weight::Small, used) == Side::Device ? 1 : 0;
  }
  CHECK(moves <= 8);
}

TEST(a_hint_is_checked_at_the_next_call) {
  Habit habit;
  habit.hint(Side::Device);
  CHECK(habit.asks());
}

TEST(a_sample_of_less_than_a_word_sees_it) {
  alignas(8) std::array<std::uint8_t, 64> block{};
  for (const std::size_t bytes : {1, 3, 4, 8, 12, 20}) {
    const auto sample = [&] {
      return host::take_sample(reinterpret_cast<std::uintptr_t>(&block[4]), bytes);
    };
    const auto before = sample();
    for (const std::size_t place : {std::size_t{4}, 3 + bytes}) {
      block[place] = 1;
      CHECK(sample() != before);
      block[place] = 0;
    }
  }
}
