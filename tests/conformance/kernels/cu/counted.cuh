// Things that count how many of them there are.
#pragma once

#include <atomic>
#include <cstdint>

struct Counted {
  static inline std::atomic<std::int64_t> count{0};
  Counted() { ++count; }
  Counted(Counted && /*other*/) noexcept { ++count; }
  Counted(const Counted &) = delete;
  Counted &operator=(Counted &&) noexcept = default;
  ~Counted() { --count; }
};
