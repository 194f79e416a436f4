// Where the pool gets its memory from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>

namespace host {

/// A system call or driver call that gives memory.
struct Source {
  enum class Kind : std::uint8_t {
    Host,
    Managed,
    Pinned,
    Device, ///< the GPU's alone
  };

  Kind kind = Kind::Host;
  int index = 0; ///< of the GPU

  /// The GPU's index, none for plain host memory.
  std::optional<int> gpu() const;

  /// Whether its memory is none of the host's.
  bool is_on_gpu() const { return kind == Kind::Device; }

  /// `host`, `managed`, `pinned` or `GPU`.
  const char *name() const;

  /// The address of `bytes` new bytes, 0 when there is not enough memory.
  std::uintptr_t allocate(std::size_t bytes) const;

  /// Takes back what `allocate` of the same source gave, which nothing may use any more.
  void free(std::uintptr_t address) const;

  friend bool operator==(const Source &a, const Source &b) {
    return a.kind == b.kind && a.index == b.index;
  }
  friend bool operator<(const Source &a, const Source &b) {
    return std::tie(a.kind, a.index) < std::tie(b.kind, b.index);
  }

private:
  /// More than this is refused without asking: systems promise memory they do not have, and end
  /// the process when it is used.
  std::size_t limit() const;
  void *ask_for(std::size_t bytes) const;
};

} // namespace host
