// Things that are kept until work on streams has been done.
#include <host/until_done.hpp>

#include <vector>

#include <host/array.hpp>

#include "test.hpp"

TEST(things_go_in_the_order_of_their_streams) {
  int first = 0;
  int second = 0;
  int asked = 0;
  host::UntilDone<int> kept;
  for (int number = 1; number <= 3; ++number) {
    kept.add({7}, [&, number] { return ++asked > 0 && first >= number; }, number);
    kept.add({8}, [&, number] { return ++asked > 0 && second >= number; }, 10 * number);
  }
  CHECK(kept.take().empty());
  CHECK(asked == 2);
  second = 2;
  CHECK(kept.take() == std::vector({10, 20}));
  first = 3;
  CHECK(kept.take() == std::vector({1, 2, 3}));
  second = 3;
  CHECK(kept.take() == std::vector({30}));
  asked = 0;
  CHECK(kept.take().empty());
  CHECK(asked == 0);
}

TEST(memory_of_others_may_be_reused_on_other_streams) {
  host::Array array;
  array.place = host::InForeignMemory{0};
  array.ready = host::Stream{7};
  CHECK(array.may_be_reused({8}));
  CHECK(!array.may_be_reused({7}));
  array.ready = host::Stream{0}; // the default stream has two numbers
  CHECK(!array.may_be_reused(host::LEGACY_DEFAULT_STREAM));
  CHECK(array.may_be_reused({2}));
  array.place = host::InHostMemory{};
  CHECK(!array.may_be_reused({8}));
}
