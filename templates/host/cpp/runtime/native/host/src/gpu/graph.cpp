#include "graph.hpp"

#include "cuda_error.hpp"
#include "cuda_stream.hpp"
#include "driver.hpp"

namespace host {

std::optional<Graph> Graph::of(Stream stream) {
  // A recording that was spoilt has no graph.
  if (capture_status(stream) != CU_STREAM_CAPTURE_STATUS_ACTIVE) {
    return {};
  }
  auto status = cudaStreamCaptureStatusNone;
  cudaGraph_t graph = nullptr;
#if CUDART_VERSION >= 13000
  const cudaGraphNode_t *nodes = nullptr;
  const cudaGraphEdgeData *edges = nullptr;
  std::size_t count = 0;
  check(cudaStreamGetCaptureInfo(cuda(stream), &status, nullptr, &graph, &nodes, &edges, &count));
#else
  check(cudaStreamGetCaptureInfo_v2(cuda(stream), &status, nullptr, &graph));
#endif
  return graph == nullptr ? std::nullopt : std::optional(Graph(graph));
}

Life Graph::life() const {
  Life life;
  void *share = life.share();
  cudaUserObject_t object = nullptr;
  const auto made =
      cudaUserObjectCreate(&object, share, Life::end, 1, cudaUserObjectNoDestructorSync);
  if (made != cudaSuccess) {
    Life::end(share);
    check(made);
  }
  auto *graph = static_cast<cudaGraph_t>(graph_);
  const auto given = cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove);
  if (given != cudaSuccess) {
    ignore(cudaUserObjectRelease(object, 1));
    check(given);
  }
  return life;
}

} // namespace host
