#include <cuvec.h>

#include <map>
#include <memory>
#include <mutex>
#include <vector>

using namespace cuvec;

/// The last argument of set_table, in memory of the host: the CPU reads it, and each GPU gets a
/// copy when it is needed there.
static struct {
  std::mutex mutex;
  std::shared_ptr<const std::vector<float>> values =
      std::make_shared<const std::vector<float>>(256);
  int64 version = 0;
  std::map<int, int64> version_on; // by GPU, which has zeros at first
} table;

void keep_table(std::vector<float> values) {
  const std::lock_guard<std::mutex> lock(table.mutex);
  table.values = std::make_shared<const std::vector<float>>(std::move(values));
  ++table.version;
}

#ifdef CUVEC_CUDA
static __constant__ float constants[256];

__global__ void look_up_all(In<std::uint8_t> x, Out<float> y) {
  for (int64 i = thread_index(); i < x.size(); i += thread_count()) {
    y[i] = constants[x[i]];
  }
}
#endif

struct look_up {
  static constexpr auto signature = "look_up(x: uint8(...)) -> y: float32(...)";
  static constexpr auto doc = "Return the elements of the table that `x` names.";

#ifdef CUVEC_CUDA
  static void gpu(Call &call, In<std::uint8_t> x, Out<float> y) {
    int gpu = 0;
    call.check(cudaGetDevice(&gpu));
    const std::lock_guard<std::mutex> lock(table.mutex); // until it is launched
    if (table.version_on[gpu] != table.version) {
      call.check(cudaDeviceSynchronize()); // others may still read what was set before
      call.check(cudaMemcpyToSymbolAsync(constants, table.values->data(), sizeof constants, 0,
                                         cudaMemcpyHostToDevice, call.stream()));
      call.check(cudaStreamSynchronize(call.stream())); // or other streams would read too early
      table.version_on[gpu] = table.version;
    }
    call.launch<look_up_all>(threads_for(x.size()), x, y);
  }
#endif
  static void cpu(In<std::uint8_t> x, Out<float> y) {
    const auto values = [] {
      const std::lock_guard<std::mutex> lock(table.mutex);
      return table.values; // which nobody changes: others set another one
    }();
    parallel(x.size(), [&](int64 i) { y[i] = (*values)[x[i]]; });
  }
};
CUVEC_EXPORT(look_up);
