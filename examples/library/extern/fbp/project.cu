#include "rays.h"

namespace fbp {

static __global__ void project_rays(const Ellipse *ellipses, std::int64_t n, Geometry geometry,
                                    Sizes sizes, float *sinogram) {
  const std::int64_t i = blockIdx.x * std::int64_t(blockDim.x) + threadIdx.x;
  if (i < sizes.angles * sizes.bins) {
    sinogram[i] = integral(ellipses, n, geometry, sizes, i / sizes.bins, i % sizes.bins);
  }
}

cudaError_t project(const Ellipse *ellipses, std::int64_t n, const Geometry &geometry,
                    const Sizes &sizes, float *sinogram, cudaStream_t stream) {
  sizes.check();
  const auto blocks = unsigned((sizes.angles * sizes.bins + 255) / 256);
  project_rays<<<blocks, 256, 0, stream>>>(ellipses, n, geometry, sizes, sinogram);
  return cudaGetLastError();
}

} // namespace fbp
