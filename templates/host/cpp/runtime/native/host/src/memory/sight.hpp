// Signs that the host has used a block of managed memory since the last GPU call.
//
// Both can be wrong, and then cost time only. On the host, memory that was written holds other
// values than the last call left there. On the GPU, pages that the host touched have left it and
// are back in the process's page table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace host {

/// Values found in a block, at eight places.
using Sample = std::array<std::uint64_t, 8>;

/// Of `bytes` bytes, at least one, that the host may read without moving them, and of all words of
/// eight bytes that have one of them. Others may write to them meanwhile, which makes the sample
/// wrong and nothing else.
Sample take_sample(std::uintptr_t address, std::size_t bytes);

/// Whether the host has touched memory that was moved to the GPU: most of it, not just an element.
bool host_touched(std::uintptr_t address, std::size_t bytes);

} // namespace host
