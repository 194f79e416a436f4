#include <cuvec.h>

using namespace cuvec;

__global__ void add_one(In<float> x, Out<float> y) {
  for (int64 i = thread_index(); i < x.size(); i += thread_count()) {
    y[i] = x[i] + 1;
  }
}

struct waiting {
  static constexpr auto signature = "waiting(x: float32(n)) -> y: float32(n)";
  static constexpr auto doc = "`x` and one, when the GPU has come that far.";
  static constexpr bool allow_cuda_graph = false;

#ifdef CUVEC_CUDA
  static void gpu(Call &call, In<float> x, Out<float> y) {
    call.launch<add_one>(threads_for(x.size()), x, y);
    call.check(cudaStreamSynchronize(call.stream()));
  }
#endif
  static constexpr auto cpu = gpu_only;
};
CUVEC_EXPORT(waiting);
