#include "call.hpp"

#include <exception>

#include "../memory/block.hpp"
#include "cuda_stream.hpp"
#include "current.hpp"

namespace host {

Call::Call(const Gpu &gpu, std::optional<Stream> stream,
           std::initializer_list<const Array *> arrays)
    : gpu_(gpu), current_(std::make_unique<Current>(gpu)),
      stream_(stream ? *stream : gpu.thread_stream()), asynchronous_(stream.has_value()),
      used_(arrays), staging_(gpu, stream_) {
  Stream joined = stream_;
  for (const Array *array : used_) {
    if (array->ready && *array->ready != joined && *array->ready != stream_) {
      gpu_.join(stream_, *array->ready);
      joined = *array->ready;
    }
  }
  for (const Array *array : used_) {
    if (const auto *block = std::get_if<InBlock>(&array->place)) {
      if (!asynchronous_) {
        (*block)->synchronize();
      }
      BlockAccess::before_call(**block, *array, gpu_, stream_);
    }
  }
}

Call::~Call() {
  if (!finished_) {
    // The error is on the way to the caller, and this can add nothing to it.
    ignore(cudaStreamSynchronize(cuda(stream_)));
  }
}

std::uintptr_t Call::address(const Array &array, bool returns) {
  if (!array.is_in_host_memory()) {
    return array.address;
  }
  return staging_.add(array, returns);
}

void Call::copy(std::uintptr_t from, std::uintptr_t to, std::size_t bytes) {
  check(cudaMemcpyAsync(reinterpret_cast<void *>(to), reinterpret_cast<const void *>(from), bytes,
                        cudaMemcpyDefault, cuda(stream_)));
}

void Call::finish() {
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
  for (const Array *array : used_) {
    if (const auto *block = std::get_if<InBlock>(&array->place)) {
      BlockAccess::after_call(**block, *array, waits);
    }
  }
}

void Call::wait() { check(cudaStreamSynchronize(cuda(stream_))); }

} // namespace host
