// The blocks that buffers have, by their address: of an array of NumPy's, C sees no more than that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <host/memory.hpp>

namespace core {

/// Makes a block known, if a GPU can address it.
void add(const std::shared_ptr<host::Block> &block);

/// Forgets a block; nothing happens if it was not known.
void remove(const host::Block &block) noexcept;

/// The known block that all these bytes are in, or null.
std::shared_ptr<host::Block> block_of(std::uintptr_t address, std::size_t bytes);

} // namespace core
