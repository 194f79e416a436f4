// CUDA graphs that calls become a part of.
#pragma once

#include <optional>

#include <host/stream.hpp>

#include "../memory/held.hpp"

namespace host {

/// A graph, while a stream records it.
class Graph {
public:
  /// The graph that the stream's work becomes part of. The stream's GPU must be current.
  static std::optional<Graph> of(Stream stream);

  /// What ends with the graph and all that is made of it.
  Life life() const;

private:
  explicit Graph(void *graph) : graph_(graph) {}

  void *graph_; // a cudaGraph_t
};

} // namespace host
