#include <cuvec.h>

#ifdef CUVEC_CUDA
#include <cudaTypedefs.h>
#endif

using namespace cuvec;

#ifdef CUVEC_CUDA
constexpr unsigned tile_size = 32;

/// A block has the TMA copy a square to shared memory: one thread starts that, all wait for it at
/// the barrier. What is beyond the edges of the array is zero there.
__global__ void tile_transpose_blocks(const __grid_constant__ CUtensorMap map, Out<float, 2> y) {
  __shared__ alignas(128) float tile[tile_size][tile_size];
  __shared__ alignas(8) std::uint64_t barrier;
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(tile)),
             when = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
  const unsigned across = unsigned((y.size(0) + tile_size - 1) / tile_size);
  const unsigned row = blockIdx.x / across * tile_size, column = blockIdx.x % across * tile_size;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n"
                 "fence.proxy.async.shared::cta;" ::"r"(when)
                 : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\n" ::"r"(when),
                 "r"(unsigned(sizeof tile))
                 : "memory");
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3}], [%4];" ::"r"(to),
                 "l"(&map), "r"(column), "r"(row), "r"(when)
                 : "memory");
  }
  __syncthreads(); // the barrier is ready
  for (unsigned is_there = 0; is_there == 0;) {
    asm volatile("{ .reg .pred done;\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%1], 0;\n"
                 "selp.u32 %0, 1, 0, done; }"
                 : "=r"(is_there)
                 : "r"(when)
                 : "memory");
  }
  for (unsigned i = threadIdx.x; i < tile_size * tile_size; i += blockDim.x) {
    const unsigned r = i % tile_size, c = i / tile_size;
    if (row + r < y.size(1) && column + c < y.size(0)) {
      y(column + c, row + r) = tile[r][c];
    }
  }
}

/// How the TMA finds squares of `x` in memory.
inline CUtensorMap tiles_of(In<float, 2> x) {
  void *encode = nullptr;
  cudaDriverEntryPointQueryResult found{};
#if CUDART_VERSION >= 12050
  Call::check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000,
                                               cudaEnableDefault, &found));
#else
  Call::check(
      cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &encode, cudaEnableDefault, &found));
#endif
  if (encode == nullptr) {
    throw CudaError("the driver is too old for tensor maps");
  }
  const cuuint64_t sizes[] = {cuuint64_t(x.size(1)), cuuint64_t(x.size(0))};
  const cuuint64_t strides[] = {sizes[0] * sizeof(float)};
  const cuuint32_t box[] = {tile_size, tile_size}, steps[] = {1, 1};
  CUtensorMap map{};
  Call::check(reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(encode)(
      &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, const_cast<float *>(x.data), sizes, strides, box,
      steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
      CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
  return map;
}
#endif

struct tile_transpose {
  static constexpr auto signature = "tile_transpose(x: float32(m,4*n)) -> y: float32(4*n,m)";
  static constexpr auto architectures = "90a";
  static constexpr auto doc = "Return the transpose of `x`, on a GPU of Hopper's by TMA.";

#ifdef CUVEC_CUDA
  static void gpu(Call &call, In<float, 2> x, Out<float, 2> y) {
    if (x.size() != 0) {
      const auto across = (x.size(1) + tile_size - 1) / tile_size;
      const auto down = (x.size(0) + tile_size - 1) / tile_size;
      call.launch<tile_transpose_blocks>(Grid(unsigned(across * down), 256), tiles_of(x), y);
    }
  }
#endif
  static void cpu(In<float, 2> x, Out<float, 2> y) {
    parallel(y.size(0), [=](int64 i) {
      for (int64 j = 0; j < y.size(1); ++j) {
        y(i, j) = x(j, i);
      }
    });
  }
};
CUVEC_EXPORT(tile_transpose);
