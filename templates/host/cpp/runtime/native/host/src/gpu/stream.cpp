#include <memory>
#include <utility>
#include <vector>

#include "../os.hpp"
#include "cuda_stream.hpp"
#include "current.hpp"
#include "driver.hpp"
#include "events.hpp"
#include "gpu.hpp"
#include "graph.hpp"
#include "recorded.hpp"

namespace host {

namespace {

/// A thread's stream of every GPU, by index.
class ThreadStreams {
public:
  ThreadStreams() = default;
  ~ThreadStreams() {
    // A forked process has none, and CUDA there cannot be called.
    for (cudaStream_t stream : os::forks() == forks_ ? streams_ : std::vector<cudaStream_t>()) {
      if (stream != nullptr) {
        ignore(cudaStreamDestroy(stream)); // once its work is done
      }
    }
  }
  ThreadStreams(const ThreadStreams &) = delete;
  ThreadStreams &operator=(const ThreadStreams &) = delete;

  cudaStream_t &operator[](int gpu) {
    const auto index = static_cast<std::size_t>(gpu);
    if (streams_.size() <= index) {
      streams_.resize(index + 1, nullptr);
    }
    return streams_[index];
  }

private:
  std::vector<cudaStream_t> streams_;
  std::size_t forks_ = os::forks();
};

thread_local ThreadStreams thread_streams;

} // namespace

Stream Gpu::thread_stream() const {
  cudaStream_t &stream = thread_streams[index_];
  if (stream == nullptr) {
    const Current current(*this);
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  }
  return {reinterpret_cast<std::uintptr_t>(stream)};
}

void Gpu::join(Stream stream, Stream other) const {
  const Current current(*this);
  auto event = events::take(index_);
  event->record(other);
  check(cudaStreamWaitEvent(cuda(stream), event->get(), 0));
  events::give_back(index_,
                    std::move(event)); // to record it again changes nothing of this wait
}

std::function<bool()> Gpu::mark(Stream stream) const {
  const Current current(*this);
  const std::shared_ptr<Event> event(events::take(index_).release(), [gpu = index_](Event *last) {
    events::give_back(gpu, std::unique_ptr<Event>(last));
  });
  event->record(stream);
  return [event] { return event->has_happened(); };
}

bool Gpu::is_recording(Stream stream) const {
  const Current current(*this);
  return capture_status(stream) != CU_STREAM_CAPTURE_STATUS_NONE;
}

std::optional<Life> Gpu::life_of_recording(Stream stream) const {
  const Current current(*this);
  const auto graph = Graph::of(stream);
  return graph ? std::optional(graph->life()) : std::nullopt;
}

void Gpu::refuse_beside(Stream stream) const {
  const bool is_legacy = stream.handle <= LEGACY_DEFAULT_STREAM.handle; // which records nothing
  if (!is_legacy && is_recording(stream)) {
    throw not_on_its_stream();
  }
}

void Gpu::refuse_beside(const std::function<std::optional<Stream>(int gpu)> &current_stream) const {
  const Current current(*this); // for what the other library may do first of all
  if (const auto stream = current_stream(index_)) {
    refuse_beside(*stream);
  }
}

} // namespace host
