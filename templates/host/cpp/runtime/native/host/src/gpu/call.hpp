// One function call on the GPU, from ordering its stream to waiting for its end.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <vector>

#include <host/array.hpp>

#include "gpu.hpp"
#include "staging.hpp"

namespace host {

class Current;

/// Orders a call on its stream, copies arrays in host memory for the GPU and back, and waits for
/// the end unless the caller named a stream.
///
///     Call call(gpu, stream, {&x, &y});
///     launch::axpy(a, call.input<float>(x), call.inout<float>(y), n, call.stream());
///     call.finish();
class Call {
public:
  /// Starts a call on `stream`, or on the thread's own, after everything that the arrays declare
  /// themselves to wait for. Without a stream it also comes after earlier calls on any stream that
  /// use the arrays.
  Call(const Gpu &gpu, std::optional<Stream> stream, std::initializer_list<const Array *> arrays);

  /// A call that was not finished has failed: waits, so that nothing uses its arrays any more.
  ~Call();
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;

  /// Makes the call wait for its end also on a stream of the caller's.
  void wait_at_the_end() { asynchronous_ = false; }

  /// The stream to launch on.
  Stream stream() const { return stream_; }

  /// The address of an array that the kernel reads.
  template <typename T> const T *input(const Array &array) {
    return reinterpret_cast<const T *>(address(array, false));
  }

  /// The address of an array that the kernel reads and writes.
  template <typename T> T *inout(const Array &array) {
    return reinterpret_cast<T *>(address(array, true));
  }

  /// Copies bytes between any two addresses, ordered on the stream.
  void copy(std::uintptr_t from, std::uintptr_t to, std::size_t bytes);

  /// Copies results back to host arrays and waits for them. With a stream of the caller's and no
  /// host array there is nothing to wait for.
  void finish();

private:
  std::uintptr_t address(const Array &array, bool returns);
  void wait();

  const Gpu &gpu_;
  std::unique_ptr<Current> current_;
  Stream stream_;
  bool asynchronous_;
  bool finished_ = false;
  std::vector<const Array *> in_blocks_; // one of each block
  Staging staging_;
};

} // namespace host
