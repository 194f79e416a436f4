// Memory that CUDA graphs use: nobody else gets it as long as they live.
//
// The driver tells the end of a graph on a thread of its own, on which nothing may call CUDA or
// wait. So this is only noted there, and the next call, or whoever frees memory, lets go.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include <host/memory.hpp>

namespace host {

/// Whether a graph, and all that was made of it, is gone.
class Life {
public:
  Life() : over_(std::make_shared<std::atomic<bool>>(false)) {}

  bool is_over() const { return over_->load(std::memory_order_acquire); }

  /// A number that no other life has.
  std::uintptr_t number() const { return reinterpret_cast<std::uintptr_t>(over_.get()); }

  /// A pointer for one call of `end`.
  void *share() const;

  /// Ends the life that has shared the pointer, on any thread.
  static void end(void *share);

private:
  std::shared_ptr<std::atomic<bool>> over_;
};

using Blocks = std::vector<std::shared_ptr<Block>>;

/// Keeps blocks as long as a graph lives.
void hold(Life life, Blocks blocks);

/// Lets go of the blocks of graphs that are gone.
void let_go();

} // namespace host
