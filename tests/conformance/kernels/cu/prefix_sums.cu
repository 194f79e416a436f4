#include <cuvec.h>

#include <numeric>

#ifdef CUVEC_CUDA
#include <cub/device/device_scan.cuh>
#endif

using namespace cuvec;

struct prefix_sums {
  static constexpr auto signature = "prefix_sums(x: int64(n)) -> y: int64(n)";
  static constexpr auto doc =
      "Return the sums of the first elements of `x`: of one, of two, and so on.";

#ifdef CUVEC_CUDA
  static void gpu(Call &call, In<int64> x, Out<int64> y) {
    call.cub([&](void *memory, std::size_t &bytes, cudaStream_t stream) {
      return cub::DeviceScan::InclusiveSum(memory, bytes, x.data, y.data, x.size(), stream);
    });
  }
#endif
  static void cpu(In<int64> x, Out<int64> y) {
    std::partial_sum(x.data, x.data + x.size(), y.data);
  }
};
CUVEC_EXPORT(prefix_sums);
