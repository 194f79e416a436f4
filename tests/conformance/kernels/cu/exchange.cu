#include <cuvec.h>

#ifdef CUVEC_CUDA
#include <cooperative_groups.h>
#endif

using namespace cuvec;

#ifdef CUVEC_CUDA
// Each block adds what the one behind it has written before.
__global__ void pass_around(Out<int64> y, bool in_cluster) {
  namespace cg = cooperative_groups;
  __shared__ int64 mine;
  const unsigned next = (blockIdx.x + 1) % gridDim.x;
  if (threadIdx.x == 0) {
    mine = blockIdx.x;
    y[blockIdx.x] = blockIdx.x;
  }
  int64 theirs = 0;
  if (!in_cluster) {
    cg::this_grid().sync();
    theirs = y[next];
    cg::this_grid().sync();
  }
#if __CUDA_ARCH__ >= 900
  if (in_cluster) {
    auto cluster = cg::this_cluster();
    cluster.sync();
    const unsigned rank = (cluster.block_rank() + 1) % cluster.num_blocks();
    theirs = *cluster.map_shared_rank(&mine, rank);
    cluster.sync();
  }
#endif
  if (threadIdx.x == 0) {
    y[blockIdx.x] = 10 * theirs + mine;
  }
}

__global__ void add_one_behind(Out<int64> y) {
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
  if (threadIdx.x == 0) {
    y[blockIdx.x] += 1;
  }
}
#endif

struct exchange {
  static constexpr auto signature = "exchange(how: int32, y: inout int64(4))";
  static constexpr auto doc =
      "Launch blocks that exchange what they write, in one of several ways.";
  static constexpr auto cpu = gpu_only;

#ifdef CUVEC_CUDA
  static void gpu(Call &call, int how, Out<int64> y) {
    const Grid grid(y.size(), 32, how == 4 ? (std::size_t(1) << 32) + 16 : 0);
    const bool in_cluster = how != 0;
    const unsigned sizes[] = {0, 4, 2, 3, 4};
    call.launch<pass_around>(in_cluster ? grid.cluster(sizes[how]) : grid.cooperative(), y,
                             in_cluster);
    call.launch<add_one_behind>(how == 0 ? grid : grid.dependent(), y);
  }
#endif
};
CUVEC_EXPORT(exchange);
