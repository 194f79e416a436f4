// Memory that the pool counts, and gives back to the system.
#include "memory/counts.hpp"
#include "memory/slab.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include "test.hpp"

using host::Source;
using host::pool::Slab;

TEST(memory_of_gpus_is_counted_apart) {
  host::pool::Counts counts;
  Slab on_host({Source::Kind::Host, 0}, 4096, 4);
  Slab on_gpu({Source::Kind::Device, 1}, 8192, 4);
  for (Slab *slab : {&on_host, &on_gpu}) {
    counts.add(*slab);
    slab->chunks[0].slab = slab;
    counts.use(slab->chunks[0]);
  }
  CHECK(counts.all().held == std::size_t{4} * (4096 + 8192));
  CHECK(counts.all().used == 4096 + 8192);
  CHECK(counts.cached(false) == std::size_t{3} * 4096);
  CHECK(counts.cached(true) == std::size_t{3} * 8192);
  counts.end_use(on_gpu.chunks[0]);
  counts.remove(on_gpu);
  CHECK(counts.cached(false) == std::size_t{3} * 4096);
  CHECK(counts.cached(true) == 0);
}

TEST(after_an_error_the_other_slabs_are_freed) {
  Slab *slabs = nullptr;
  for (const std::uintptr_t address : {3, 2, 1}) {
    auto *slab = new Slab(Source(), 4096, 1);
    slab->address = address;
    slab->next = slabs;
    slabs = slab;
  }
  std::vector<std::uintptr_t> freed;
  CHECK_THROWS(host::pool::free_all(slabs,
                                    [&](const Slab &slab) {
                                      freed.push_back(slab.address);
                                      if (slab.address < 3) {
                                        throw std::runtime_error("error " +
                                                                 std::to_string(slab.address));
                                      }
                                    }),
               std::runtime_error, "error 1");
  CHECK(freed == std::vector<std::uintptr_t>({1, 2, 3}));
}
