#include <cuvec.h>

using namespace cuvec;

#ifdef CUVEC_CUDA
/// 128 threads multiply 64 rows at a time with wgmma, which only sm_90a has. The section on wgmma
/// in the manual of PTX has the layouts of `a` and `sum` in registers, and of `columns`.
__global__ void tile_product_rows(In<float16, 2> a, In<float16, 2> b, Out<float, 2> c) {
  __shared__ alignas(128) float16 columns[2][8][8]; // of b: half of a column behind the other
  for_block(128,
            [&](int64 i) { columns[i / 64][i / 8 % 8][i % 8] = b(i / 64 * 8 + i % 8, i / 8 % 8); });
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();

  const auto address = static_cast<std::uint64_t>(__cvta_generic_to_shared(columns));
  const std::uint64_t distance = sizeof columns[0] >> 4U; // in 16 bytes, as the address
  const std::uint64_t descriptor = address >> 4U | distance << 16U | distance << 32U;
  const int row = int(threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4),
            column = int(threadIdx.x % 4 * 2);
  const auto pair = [&](int64 i, int64 k) -> std::uint32_t {
    return i < a.size(0) ? std::uint32_t(a(i, k).bits()) | std::uint32_t(a(i, k + 1).bits()) << 16U
                         : 0;
  };
  for (int64 first = 64 * int64(blockIdx.x); first < a.size(0); first += 64 * int64(gridDim.x)) {
    const int64 i = first + row;
    float sum[4] = {};
    asm volatile("wgmma.fence.sync.aligned;\n"
                 "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, %8, 1, 1, 1, 0;\n"
                 "wgmma.commit_group.sync.aligned;\n"
                 "wgmma.wait_group.sync.aligned 0;"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(pair(i, column)), "r"(pair(i + 8, column)), "r"(pair(i, column + 8)),
                   "r"(pair(i + 8, column + 8)), "l"(descriptor)
                 : "memory");
    for (int k = 0; k < 4; ++k) {
      if (const int64 at = i + k / 2 * 8; at < a.size(0)) {
        c(at, column + k % 2) = sum[k];
      }
    }
  }
}
#endif

struct tile_product {
  static constexpr auto signature =
      "tile_product(a: float16(m,16), b: float16(16,8)) -> c: float32(m,8)";
  static constexpr auto architectures = "90a";
  static constexpr auto doc = "Return the product of two matrices, on a GPU of Hopper's by wgmma.";

#ifdef CUVEC_CUDA
  static void gpu(Call &call, In<float16, 2> a, In<float16, 2> b, Out<float, 2> c) {
    call.launch<tile_product_rows>(Grid(unsigned((a.size(0) + 63) / 64), 128), a, b, c);
  }
#endif
  static void cpu(In<float16, 2> a, In<float16, 2> b, Out<float, 2> c) {
    parallel(c.size(0), [=](int64 i) {
      for (int64 j = 0; j < c.size(1); ++j) {
        c(i, j) = 0;
        for (int64 k = 0; k < a.size(1); ++k) {
          c(i, j) += float(a(i, k)) * float(b(k, j));
        }
      }
    });
  }
};
CUVEC_EXPORT(tile_product);
