// Graphs that other libraries record on a stream of their own.
#pragma once

namespace core {

/// Whether it is known that no library records a graph on its current stream. Needs the GIL.
bool is_free_beside() noexcept;

} // namespace core
