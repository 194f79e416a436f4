// Decides which side of the bus a block belongs on, from how it has been used.
//
// A call on memory that is on the host and mapped costs the way over the bus; a move there and back
// costs as much as some such calls, because the host's next touch brings every page back by a
// fault, and then a call costs nothing extra. So memory starts on the host and moves when GPU calls
// follow each other. When the host is seen to use it, the calls since the move are counted. If they
// were enough to pay for it, the next ones are expected to be as many, and the memory moves to the
// GPU again at once. If not, it stays on the host, and the next move waits for twice as many calls.
//
// At worst the host uses the memory after every move. But a move that did not pay comes either
// after one that did, which has gained as much, or after twice as many calls as the one before, so
// that of n calls about log2(n) are such moves; and use that alternates soon costs what mapped
// memory costs.
//
// A move of a small array costs nearly as much as one of 128 KiB, and what a call gains by it is
// not known: little, unless all threads of the kernel read the array. So calls on small arrays
// count for less, and only after some of them is it asked whether the host has used the array.
// After a move it is asked at once: later the GPU has taken back what the host has touched, and
// nothing is seen of it.
#pragma once

#include <cstdint>
#include <optional>

#include <host/memory.hpp>

namespace host {

class Habit {
public:
  /// What a call on an array counts for.
  enum class Weight : std::uint8_t {
    Large = 16,      ///< the array is large
    BesideLarge = 4, ///< another one of the call is: there are many threads, which may all read it
    Small = 1,       ///< all arrays of the call are small
  };

  /// Where the block is.
  Side side() const { return side_; }

  /// The caller has moved the block himself.
  void hint(Side side);

  /// The GPU has no room. Returns the side to move the block to, if it is not there.
  std::optional<Side> give_up();

  /// Whether the next call asks if the host has used the block.
  bool asks() const {
    const bool just_moved = side_ == Side::Device && calls_ <= LARGE;
    return just_moved || unseen_ + last_ >= LARGE;
  }

  /// A GPU call is about to use the block. `host_used` says whether the host was seen to use it
  /// since the last one. Returns the side to move it to.
  std::optional<Side> call(Weight weight, bool host_used);

private:
  // All numbers count as `Weight` does.
  static constexpr std::uint32_t LARGE = static_cast<std::uint32_t>(Weight::Large);
  /// Calls in a row before the first move.
  static constexpr std::uint32_t PATIENCE = 2 * LARGE;
  /// Calls in a row before a move, at most.
  static constexpr std::uint32_t LONGEST_PATIENCE = (1U << 12U) * LARGE;
  /// Calls on the GPU that pay for a move there and back: as measured from 1 MiB on, and more than
  /// enough for larger blocks.
  static constexpr std::uint32_t PAYING = 8 * LARGE;

  void wait_longer();

  /// This call is the first of a row on `side`.
  Side start(Side side);

  Side side_ = Side::Host;
  std::uint32_t calls_ = 0; // in a row on this side, as far as is known
  std::uint32_t patience_ = PATIENCE;
  std::uint32_t last_ = 0;   // the last call
  std::uint32_t unseen_ = 0; // calls since it was last asked whether the host has used the block
};

} // namespace host
