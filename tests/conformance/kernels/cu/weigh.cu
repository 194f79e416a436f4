#include <cuvec.h>

using namespace cuvec;

#ifdef CUVEC_CUDA
#include <cooperative_groups.h>
#include <cub/block/block_reduce.cuh>

__constant__ float3 weigh_constants;

__global__ void weigh_all(Out<float> x) {
  using Reduce = cub::BlockReduce<float, 32>;
  __shared__ typename Reduce::TempStorage storage;
  const float3 w = weigh_constants;
  const float sum = Reduce(storage).Sum(threadIdx.x == 0 ? w.x + w.y + w.z : 0.0F);
  if (cooperative_groups::this_thread_block().thread_rank() == 0) {
    for (int64 i = 0; i < x.size(); ++i) {
      x[i] *= sum;
    }
  }
}
#endif

struct weigh {
  static constexpr auto signature = "weigh(x: inout float32(...))";
  static constexpr auto doc = "Multiply `x` by six, on a GPU: with what a C++ compiler knows not.";

#ifdef CUVEC_CUDA
  static void gpu(Call &call, Out<float> x) {
    const float3 constants{1, 2, 3};
    const cudaStream_t stream = call.stream();
    call.check(cudaMemcpyToSymbolAsync(weigh_constants, &constants, sizeof constants, 0,
                                       cudaMemcpyHostToDevice, stream));
    call.launch<weigh_all>(Grid(1, 32), x);
  }
#endif
  static constexpr auto cpu = gpu_only;
};
CUVEC_EXPORT(weigh);
