// One function call on the GPU, from ordering its stream to waiting for its end.
#pragma once

#include <optional>

#include "../arrays.hpp"
#include "current.hpp"
#include "gpu.hpp"
#include "graph.hpp"
#include "staging.hpp"

namespace host {

/// Orders a call on its stream, copies arrays in host memory for the GPU and back, and waits for
/// the end unless the caller named a stream.
///
///     Call call(gpu, stream, {&x, &y});
///     launch(call.address(x, true, false), call.address(y, true, true), call.stream());
///     call.finish();
class Call {
public:
  /// Starts a call on `stream`, or on the thread's own, after everything that the arrays declare
  /// themselves to wait for. Without a stream it also comes after earlier calls on any stream that
  /// use the arrays.
  Call(const Gpu &gpu, std::optional<Stream> stream, const Arrays &arrays);

  /// A call that was not finished has failed: waits, so that nothing uses its arrays any more.
  ~Call();
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;

  /// Makes the call wait for its end also on a stream of the caller's. `otherwise` says what to do
  /// where nothing can be waited for.
  void wait_at_the_end(RuntimeError (*otherwise)());

  /// The stream to launch on.
  Stream stream() const { return stream_; }

  /// The address of an array, for a kernel that reads it, writes it or both.
  void *address(const Array &array, bool reads, bool writes);

  /// Copies bytes between any two addresses, ordered on the stream.
  void copy(std::uintptr_t from, std::uintptr_t to, std::size_t bytes);

  /// Nobody else gets these blocks as long as the graph lives that the call becomes part of.
  void hold(const Blocks &blocks);

  /// Copies results back to host arrays and waits for them. With a stream of the caller's and no
  /// host array there is nothing to wait for. Returns whether it has waited.
  bool finish();

private:
  void wait();
  const std::optional<Graph> &graph();

  const Gpu &gpu_;
  Current current_;
  Stream stream_;
  bool asynchronous_;
  bool finished_ = false;
  /// That the call becomes part of, once somebody had to know.
  std::optional<std::optional<Graph>> graph_;
  Arrays in_blocks_; // one of each block
  Staging staging_;
};

} // namespace host
