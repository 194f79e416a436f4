// Graphs that other libraries record on a stream of their own.
#pragma once

#include <optional>

namespace python {

/// Whether there is a library that may record one.
bool others_may_record();

/// Refuses a call without `stream=` on this GPU, or on the current one, while PyTorch or CuPy
/// records a graph on its current stream: the call would run now, and be no part of the graph.
void refuse_beside(std::optional<int> gpu);

} // namespace python
