#include "device.hpp"

#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <vector>

#include <host/error.hpp>
#include <host/fork.hpp>

#include "opened.hpp"
#include "os.hpp"

namespace host {

namespace {

/// The decision of a process: its GPUs, none on the CPU.
struct Decision {
  std::vector<std::unique_ptr<Opened<Gpu>>> gpus;
  std::string reason;
  std::size_t forks = os::forks();
};

/// Fills in the GPUs that there are, or why there are none.
void probe(Decision &decision, bool insists) {
  try {
    const int count = Gpu::count();
    for (int index = 0; index < count; ++index) {
      decision.gpus.push_back(std::make_unique<Opened<Gpu>>(index));
    }
    decision.reason = std::to_string(count) + (count == 1 ? " GPU found" : " GPUs found");
  } catch (const RuntimeError &error) {
    decision.reason = error.what();
    if (insists) {
      throw RuntimeError("CUVEC_DEVICE is cuda, but " + decision.reason +
                         "; unset it to fall back to the CPU");
    }
  }
}

void decide(Decision &decision) {
  const char *variable = std::getenv("CUVEC_DEVICE");
  const std::string wish = variable == nullptr ? "" : variable;
  if (wish == "cpu") {
    decision.reason = "CUVEC_DEVICE is cpu";
  } else if (wish.empty() || wish == "auto" || wish == "cuda") {
    probe(decision, wish == "cuda");
  } else {
    throw ValueError("CUVEC_DEVICE is \"" + wish + "\", but it must be auto, cuda or cpu");
  }
}

/// Who decides; a child does not inherit a decision that is being made.
struct Deciding {
  Deciding() { hold_at_fork(mutex); }

  std::mutex mutex;
  std::atomic<Decision *> made{nullptr};
};

Deciding &deciding = *new Deciding; // never destroyed: arrays may outlive it

/// Throws what is wrong with the environment; then nothing is decided.
Decision &decide_now() {
  const std::scoped_lock lock(deciding.mutex);
  if (deciding.made == nullptr) {
    auto fresh = std::make_unique<Decision>();
    decide(*fresh);
    deciding.made.store(fresh.release(), std::memory_order_release);
  }
  return *deciding.made;
}

/// As `decide_now`, once that has been done.
Decision &decision() {
  Decision *made = deciding.made.load(std::memory_order_acquire);
  return made != nullptr ? *made : decide_now();
}

[[noreturn]] void refuse(std::ptrdiff_t index, const Decision &decision) {
  throw ValueError("there is no GPU " + std::to_string(index) + ": " +
                   std::to_string(decision.gpus.size()) + " can be used");
}

[[noreturn]] void refuse_after_fork() {
  throw RuntimeError("CUDA cannot be used in a process forked after its first use; "
                     "use the multiprocessing start method `spawn` or `forkserver`");
}

thread_local std::ptrdiff_t current_index = 0;

} // namespace

bool has_gpus() { return !decision().gpus.empty(); }

const Gpu *current_gpu() { return has_gpus() ? &gpu_at(current_index) : nullptr; }

const Gpu &gpu_at(std::ptrdiff_t index) {
  Decision &made = decision();
  if (index < 0 || static_cast<std::size_t>(index) >= made.gpus.size()) {
    refuse(index, made);
  }
  if (os::forks() != made.forks) {
    refuse_after_fork();
  }
  return made.gpus[static_cast<std::size_t>(index)]->get();
}

const Gpu *common_gpu(const Arrays &arrays) {
  std::optional<int> first;
  for (const Array *array : arrays) {
    const auto gpu = array == nullptr ? std::nullopt : array->gpu();
    if (!gpu) {
      continue;
    }
    if (first && *gpu != *first) {
      throw ValueError("the arrays are on two devices, GPU " + std::to_string(*first) +
                       " and GPU " + std::to_string(*gpu) + "; copy one to the other's");
    }
    first = gpu;
  }
  return first ? &gpu_at(*first) : current_gpu();
}

ValueError no_gpu_to_read_with() {
  const std::string fact = "the array is in GPU memory, but this process works on the CPU: ";
  return ValueError{fact + decision().reason};
}

Device device() {
  const Gpu *gpu = current_gpu();
  if (gpu == nullptr) {
    return {"cpu", {}, os::machine(), decision().reason};
  }
  return {"cuda", gpu->index(), gpu->name(), decision().reason};
}

void set_device(std::ptrdiff_t index) {
  const bool is_cpu = decision().gpus.empty() && index == 0;
  if (!is_cpu) {
    gpu_at(index);
  }
  current_index = index;
}

void synchronize() {
  if (const Gpu *gpu = current_gpu()) {
    gpu->synchronize();
  }
}

} // namespace host
