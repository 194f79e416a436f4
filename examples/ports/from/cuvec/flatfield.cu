#include <cuvec.cuh>
#include <pybind11/pybind11.h>
#include <stdexcept>

using Array = NDCuVec<float>;

__global__ void flatfield_pixels(const float *raw, const float *dark, const float *flat,
                                 std::size_t n, float *seen) {
  const std::size_t k = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  if (k < n) {
    seen[k] = flat[k] > dark[k] ? (raw[k] - dark[k]) / (flat[k] - dark[k]) : 0;
  }
}

Array *flatfield(const Array &raw, const Array &dark, const Array &flat) {
  if (raw.shape != dark.shape || raw.shape != flat.shape) {
    throw std::length_error("the arrays must have one shape");
  }
  const std::size_t n = raw.vec.size();
  auto *seen = new Array(raw.shape);
  flatfield_pixels<<<(n + 255) / 256, 256>>>(raw.vec.data(), dark.vec.data(), flat.vec.data(), n,
                                             seen->vec.data());
  cuvec::HandleError(cudaGetLastError(), __FILE__, __LINE__);
  cuvec::HandleError(cudaDeviceSynchronize(), __FILE__, __LINE__);
  return seen;
}

PYBIND11_MODULE(flatfield, module) { module.def("flatfield", &flatfield); }
