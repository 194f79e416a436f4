#include "call.hpp"

#include <algorithm>
#include <exception>
#include <variant>

#include "../memory/block.hpp"
#include "../memory/placement.hpp"
#include "cuda_stream.hpp"
#include "current.hpp"
#include "driver.hpp"
#include "recorded.hpp"

namespace host {

namespace {

Block &block_of(const Array &array) { return *std::get<InBlock>(array.place); }

/// Whether one of the arrays is in the block.
bool has(const Arrays &arrays, const Block &block) {
  return std::any_of(arrays.begin(), arrays.end(),
                     [&block](const Array *array) { return &block_of(*array) == &block; });
}

/// Whether the call comes after the work of that stream. The legacy default stream is part of no
/// graph: what is recorded finds its arrays ready.
bool comes_after(Stream ready, const Gpu &gpu, Stream stream) {
  return ready != stream && (ready != LEGACY_DEFAULT_STREAM || !gpu.is_recording(stream));
}

/// Whether the stream records a graph, be it one that was spoilt, or may not even be asked: beside
/// a recording the legacy default stream is such a one, and to wait for it would spoil that.
bool records(Stream stream) noexcept {
  auto status = CU_STREAM_CAPTURE_STATUS_NONE;
  const auto error = Driver::get().is_capturing(cuda(stream), &status);
  return error != CUDA_SUCCESS || status != CU_STREAM_CAPTURE_STATUS_NONE;
}

} // namespace

Call::Call(const Gpu &gpu, std::optional<Stream> stream, const Arrays &arrays)
    : gpu_(gpu), current_(gpu), stream_(stream ? *stream : gpu.thread_stream()),
      asynchronous_(stream.has_value()), staging_(gpu, stream_) {
  let_go();
  Stream joined = stream_;
  bool with_large = false;
  for (const Array *array : arrays) {
    if (array == nullptr) {
      continue;
    }
    with_large = with_large || array->bytes() >= LARGE_TO_MOVE;
    if (std::holds_alternative<InBlock>(array->place) && !has(in_blocks_, block_of(*array))) {
      in_blocks_.emplace_back(array);
    }
    if (array->ready && *array->ready != joined && comes_after(*array->ready, gpu_, stream_)) {
      if (!asynchronous_) {
        gpu_.refuse_beside(*array->ready);
      }
      gpu_.join(stream_, *array->ready);
      joined = *array->ready;
    }
  }
  for (const Array *array : in_blocks_) {
    Block &block = block_of(*array);
    if (!asynchronous_) {
      block.synchronize();
    }
    BlockAccess::before_call(block, *array, with_large, gpu_, stream_);
  }
  // The legacy default stream must not be used while some others record: to ask is what says so,
  // and spoils no recording.
  const bool matters = !in_blocks_.empty() || stream_ == LEGACY_DEFAULT_STREAM;
  if (matters && graph()) {
    Blocks blocks;
    for (const Array *array : in_blocks_) {
      blocks.push_back(block_of(*array).shared_from_this());
    }
    hold(blocks);
  }
}

Call::~Call() {
  if (!finished_ && !(asynchronous_ && records(stream_))) {
    // The error is on the way to the caller, and this can add nothing to it.
    ignore(cudaStreamSynchronize(cuda(stream_)));
  }
}

/// None of a call that waits.
const std::optional<Graph> &Call::graph() {
  if (!graph_) {
    graph_ = asynchronous_ ? Graph::of(stream_) : std::nullopt;
  }
  return *graph_;
}

void Call::wait_at_the_end(RuntimeError (*otherwise)()) {
  if (graph()) {
    throw otherwise();
  }
  asynchronous_ = false;
}

void Call::hold(const Blocks &blocks) {
  if (blocks.empty()) {
    return;
  }
  if (const auto &recorded = graph()) {
    host::hold(recorded->life(), blocks);
  }
}

void *Call::address(const Array &array, bool reads, bool writes) {
  const bool staged = array.is_in_host_memory();
  if (staged && graph()) {
    throw not_for_host_arrays();
  }
  return reinterpret_cast<void *>(staged ? staging_.add(array, reads, writes) : array.address);
}

void Call::copy(std::uintptr_t from, std::uintptr_t to, std::size_t bytes) {
  check(cudaMemcpyAsync(reinterpret_cast<void *>(to), reinterpret_cast<const void *>(from), bytes,
                        cudaMemcpyDefault, cuda(stream_)));
}

bool Call::finish() {
  finished_ = true;
  const bool waits = !asynchronous_ || !staging_.empty();
  if (waits) {
    std::exception_ptr error;
    try {
      staging_.begin_return();
    } catch (...) {
      error = std::current_exception();
    }
    wait(); // even after an error nothing may still run that uses the arrays
    if (error != nullptr) {
      std::rethrow_exception(error);
    }
    staging_.finish_return();
  }
  for (const Array *array : in_blocks_) {
    BlockAccess::after_call(block_of(*array), *array, waits);
  }
  return waits;
}

void Call::wait() { check(cudaStreamSynchronize(cuda(stream_))); }

} // namespace host
