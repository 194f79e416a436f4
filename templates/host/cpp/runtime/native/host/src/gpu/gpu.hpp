// One GPU, for as long as the process lives. No header of CUDA is needed to use it: gpu.cpp and
// its neighbours are this with CUDA, none.cpp is this without.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <host/error.hpp>
#include <host/memory.hpp>
#include <host/stream.hpp>

#include "../memory/held.hpp"

namespace host {

class Gpu {
public:
  /// Whether kernels were compiled into this library.
  static constexpr bool BUILT = HOST_CUDA;

  /// How many there are. Throws `RuntimeError` that says why there are none.
  static int count();

  explicit Gpu(int index);

  int index() const { return index_; }
  /// The product name.
  const std::string &name() const { return name_; }
  /// Bytes of its memory.
  std::size_t memory() const { return memory_; }
  /// Whether the host may touch managed memory while the GPU works. Where it may not (Windows,
  /// WSL), pinned memory takes the place of managed memory.
  bool shares_managed_memory() const { return shares_managed_memory_; }

  /// Waits until this GPU has finished everything.
  void synchronize() const;

  // Memory, see memory/source.hpp. Allocations are null when there is not enough.
  void *allocate_managed(std::size_t bytes) const;
  void *allocate_pinned(std::size_t bytes) const;
  void *allocate_device(std::size_t bytes) const;
  void free(void *memory) const; // managed or the device's
  void free_pinned(void *memory) const;

  // Placement of managed memory, see memory/placement.hpp.

  /// Keeps the range on the host and mapped into the GPU.
  void advise_host(std::uintptr_t address, std::size_t bytes) const;
  /// Moves the range to a side and advises it to stay there, ordered on `stream`, without waiting.
  void move(Side side, std::uintptr_t address, std::size_t bytes, Stream stream) const;
  /// Whether the GPU can take an array and as much again for others.
  bool has_room(std::size_t bytes) const;

  // Streams.

  /// The calling thread's own stream, so that threads do not wait for each other.
  Stream thread_stream() const;
  /// Lets `stream` wait for everything that is on `other` now.
  void join(Stream stream, Stream other) const;
  /// A function that says whether everything that is on `stream` now has been done.
  std::function<bool()> mark(Stream stream) const;
  /// Whether the stream's work becomes part of a CUDA graph, in which moves have no place.
  bool is_recording(Stream stream) const;
  /// What ends with that graph; none when there is no graph.
  std::optional<Life> life_of_recording(Stream stream) const;
  /// Refuses a call without `stream=` while a graph is recorded on what is another library's
  /// current stream: it would run now, and be no part of the graph.
  void refuse_beside(Stream stream) const;
  void refuse_beside(const std::function<std::optional<Stream>(int gpu)> &current_stream) const;

  /// See `host::locate`.
  int locate(std::uintptr_t address, std::size_t bytes) const;

private:
  friend class Current;
  int index_;
  std::string name_;
  std::size_t memory_ = 0;
  bool shares_managed_memory_ = false;
  void *context_ = nullptr; // the primary one
};

} // namespace host
