// Memory that the host and the GPU both address, pooled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "stream.hpp"

namespace host {

class Gpu;

/// The kinds of memory a caller can ask for. Without a GPU both are plain host memory.
enum class MemoryKind : std::uint8_t {
  Managed, ///< unified memory, which moves between host and GPU
  Pinned,  ///< page-locked host memory that the GPU addresses where it is
};

/// `managed` or `pinned`.
const char *name(MemoryKind kind);

/// Throws `ValueError` for other names.
MemoryKind memory_kind(std::string_view name);

/// A side of the bus.
enum class Side : std::uint8_t { Host, Device };

/// Throws `ValueError` when the name is neither `host` nor `device`.
Side side(std::string_view name);

/// One allocation, as an array holds it: memory of at least the size asked for, aligned to a
/// cache line, which goes back to the pool with its last owner, on whichever thread that is.
class Block : public std::enable_shared_from_this<Block> {
public:
  /// Allocates on the current device. The contents are undefined. Throws `MemoryError`.
  static std::shared_ptr<Block> allocate(std::size_t bytes, MemoryKind kind = MemoryKind::Managed);

  /// As `allocate`, filled with zeros.
  static std::shared_ptr<Block> zeroed(std::size_t bytes, MemoryKind kind = MemoryKind::Managed);

  std::uintptr_t address() const;

  /// Bytes, at least as many as asked for.
  std::size_t size() const;

  /// Whether all these bytes are in the block.
  bool contains(std::uintptr_t address, std::size_t bytes) const;

  /// The kind that was asked for.
  MemoryKind kind() const;

  /// The GPU that can address it, none for plain host memory.
  std::optional<int> gpu() const;

  /// Waits for asynchronous calls of ours that may still use the block.
  void synchronize();

  /// Notes that another library is given the address. The memory is then not reused before the
  /// GPU has been waited for.
  void expose();

  /// Moves a part of the block, ordered on `stream` or on the thread's own, without waiting.
  /// Does nothing to memory that cannot move.
  void prefetch(Side side, std::size_t offset, std::size_t bytes, std::optional<Stream> stream);

  ~Block();
  Block(const Block &) = delete;
  Block &operator=(const Block &) = delete;

private:
  struct State;
  friend struct BlockAccess; // what the rest of the host may do beyond the above
  explicit Block(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Bytes of the pool.
struct MemoryStatistics {
  std::size_t used = 0; ///< in arrays
  std::size_t held = 0; ///< in arrays and ready for new ones
};

MemoryStatistics memory_statistics();

/// Gives all memory that no array uses back to the system.
void empty_cache();

} // namespace host
