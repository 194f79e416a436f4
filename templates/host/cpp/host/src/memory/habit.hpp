// Decides which side of the bus a block belongs on, from how it has been used.
//
// A call on memory that is on the host and mapped costs the way over the bus; moving the memory
// costs about as much once, and then a call costs nothing extra, but the host's next touch brings
// every page back by a fault. So memory starts on the host, moves when GPU calls follow each
// other, and comes back when the host is seen to use it. Each time that happens the next move
// waits for twice as many calls: memory that alternates soon stays where it is, and a wrong guess
// costs at most a share of the calls before it.
#pragma once

#include <cstdint>
#include <optional>

#include <host/memory.hpp>

namespace host {

class Habit {
public:
  /// Where the block is.
  Side side() const { return side_; }

  /// The caller has moved the block himself.
  void hint(Side side);

  /// A GPU call is about to use the block. `host_used` says whether the host was seen to use it
  /// since the last one. Returns the side to move it to.
  std::optional<Side> call(bool host_used);

private:
  /// Calls in a row before the first move.
  static constexpr std::uint32_t PATIENCE = 2;
  /// Calls in a row before a move, at most.
  static constexpr std::uint32_t LONGEST_PATIENCE = 1U << 12U;
  /// Calls in a row on the GPU after which the block's past is forgotten.
  static constexpr std::uint32_t TRUSTED = 1U << 8U;

  Side side_ = Side::Host;
  std::uint32_t calls_ = 0; // on the GPU in a row, as far as is known
  std::uint32_t patience_ = PATIENCE;
};

} // namespace host
