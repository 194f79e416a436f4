#include <algorithm>
#include <stdexcept>
#include <string>

#include "rays.h"

namespace fbp {

static void check(cudaError_t status) {
  if (status != cudaSuccess) {
    throw std::runtime_error(cudaGetErrorString(status));
  }
}

static void check(cufftResult status) {
  if (status != CUFFT_SUCCESS) {
    throw std::runtime_error("cuFFT's error " + std::to_string(status));
  }
}

static __global__ void pad_rows(const float *sinogram, Sizes sizes, std::int64_t stride,
                                float *rows) {
  const std::int64_t i = blockIdx.x * std::int64_t(blockDim.x) + threadIdx.x;
  if (i < sizes.angles * stride) {
    const std::int64_t bin = i % stride;
    rows[i] = bin < sizes.bins ? sinogram[i / stride * sizes.bins + bin] : 0;
  }
}

static __global__ void multiply_rows(const float *ramp, std::int64_t half, std::int64_t count,
                                     cufftComplex *spectra) {
  const std::int64_t i = blockIdx.x * std::int64_t(blockDim.x) + threadIdx.x;
  if (i < count) {
    spectra[i].x *= ramp[i % half];
    spectra[i].y *= ramp[i % half];
  }
}

static __global__ void gather_pixels(const float *filtered, std::int64_t stride,
                                     const float *directions, Geometry geometry, Sizes sizes,
                                     float *image) {
  const std::int64_t i = blockIdx.x * std::int64_t(blockDim.x) + threadIdx.x;
  if (i < sizes.size * sizes.size) {
    image[i] =
        gather(filtered, stride, directions, geometry, sizes, i / sizes.size, i % sizes.size);
  }
}

static unsigned blocks_for(std::int64_t count) { return unsigned((count + 255) / 256); }

Plan::Transform::~Transform() {
  if (handle != 0) {
    cufftDestroy(handle);
  }
}

/// A copy on the GPU. Pageable memory has been read when the call returns.
static float *copied(const std::vector<float> &values, cudaStream_t stream) {
  const std::size_t bytes = sizeof(float) * values.size();
  void *memory = nullptr;
  check(cudaMalloc(&memory, bytes));
  check(cudaMemcpyAsync(memory, values.data(), bytes, cudaMemcpyHostToDevice, stream));
  return static_cast<float *>(memory);
}

Plan::Plan(const Sizes &sizes, const Geometry &geometry, cudaStream_t stream)
    : sizes_(sizes), geometry_(geometry), ramp_(copied(ramp(sizes, geometry), stream)),
      directions_(copied(directions(sizes), stream)) {
  int length = int(sizes.padded()), half = length / 2 + 1, stride = 2 * half;
  const auto rows = int(sizes.angles);
  std::size_t more = 0;
  for (Transform *transform : {&forward_, &backward_}) {
    check(cufftCreate(&transform->handle));
    check(cufftSetAutoAllocation(transform->handle, 0));
  }
  check(cufftMakePlanMany(forward_.handle, 1, &length, &stride, 1, stride, &half, 1, half,
                          CUFFT_R2C, rows, &scratch_));
  check(cufftMakePlanMany(backward_.handle, 1, &length, &half, 1, half, &stride, 1, stride,
                          CUFFT_C2R, rows, &more));
  scratch_ = std::max(scratch_, more);
  spectra_ = (sizeof(cufftComplex) * std::size_t(rows) * std::size_t(half) + 255) / 256 * 256;
}

void Plan::run(const float *sinogram, float *image, void *workspace, cudaStream_t stream) {
  const std::int64_t half = sizes_.padded() / 2 + 1, stride = 2 * half;
  auto *rows = static_cast<float *>(workspace);
  auto *spectra = static_cast<cufftComplex *>(workspace);
  for (const Transform *transform : {&forward_, &backward_}) {
    check(cufftSetStream(transform->handle, stream));
    check(cufftSetWorkArea(transform->handle, static_cast<char *>(workspace) + spectra_));
  }
  pad_rows<<<blocks_for(sizes_.angles * stride), 256, 0, stream>>>(sinogram, sizes_, stride, rows);
  check(cufftExecR2C(forward_.handle, rows, spectra));
  multiply_rows<<<blocks_for(sizes_.angles * half), 256, 0, stream>>>(
      ramp_.get(), half, sizes_.angles * half, spectra);
  check(cufftExecC2R(backward_.handle, spectra, rows));
  gather_pixels<<<blocks_for(sizes_.size * sizes_.size), 256, 0, stream>>>(
      rows, stride, directions_.get(), geometry_, sizes_, image);
  check(cudaGetLastError());
}

} // namespace fbp
