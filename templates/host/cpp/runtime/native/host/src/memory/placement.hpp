// Where a block of managed memory lives, and when it moves.
//
// New memory stays on the host and is mapped into the GPU, which reads and writes it over the bus
// without faults: the fastest for data that the host uses between GPU calls. Data that GPU calls
// use in a row is faster on the GPU. `before_call` moves it there when that is how it is used
// (habit.hpp), `Block::prefetch` when the caller says so. Small arrays move too, for all threads of
// a kernel may read them: later, and only with pages of their own.
#pragma once

#include <functional>
#include <mutex>
#include <optional>

#include <host/array.hpp>

#include "../gpu/gpu.hpp"
#include "habit.hpp"
#include "sight.hpp"

namespace host {

/// Bytes of a large array. To read a smaller one over the bus, once, costs a few microseconds.
inline constexpr std::size_t LARGE_TO_MOVE = std::size_t{128} << 10U;

/// What a block knows about its use.
class Placement {
public:
  bool is_moved() const { return habit_.side() == Side::Device; }

  /// Moves the memory of an array, if it should be elsewhere for a call on `stream`. `with_large`
  /// says that an array of the call is large.
  void before_call(const Array &array, bool with_large, const Gpu &gpu, Stream stream);

  /// Remembers how a call that has ended left an array.
  void after_end(const Array &array);

  /// Moves memory because the caller says so.
  void prefetch(Side side, std::uintptr_t address, std::size_t bytes, const Gpu &gpu,
                Stream stream);

private:
  bool was_used_by_host(const Array &array);
  void move(Side side, std::uintptr_t address, std::size_t bytes, const Gpu &gpu, Stream stream);

  std::mutex mutex_;
  Habit habit_;
  // by the last call in memory on the host; none if it may still run, or the next one does not ask
  std::optional<Sample> left_;
  std::function<bool()> has_arrived_; // of a move to the GPU that was under way when last seen
};

} // namespace host
