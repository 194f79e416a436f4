#include "device_array.h"

template <class T>
__global__ void blur_pass(const T *image, int64_t height, int64_t width, int axis, double sigma,
                          T *result) {
  const int64_t k = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (k >= height * width) {
    return;
  }
  const auto radius = int64_t(ceil(3 * sigma));
  T sum = 0, weights = 0;
  for (int64_t d = -radius; d <= radius; ++d) {
    const int64_t i = min(max(k / width + (axis == 0 ? d : 0), int64_t(0)), height - 1);
    const int64_t j = min(max(k % width + (axis == 1 ? d : 0), int64_t(0)), width - 1);
    const auto weight = T(exp(-0.5 * double(d * d) / (sigma * sigma)));
    sum += weight * image[i * width + j];
    weights += weight;
  }
  result[k] = sum / weights;
}

template <class T> void launch(const DeviceArray &image, double sigma, const DeviceArray &result) {
  const int64_t height = image.shape[0], width = image.shape[1],
                blocks = (image.size() + 255) / 256;
  T *rows;
  check(cudaMallocAsync(&rows, image.size() * sizeof(T), nullptr));
  blur_pass<T><<<blocks, 256>>>(image.as<const T>(), height, width, 1, sigma, rows);
  blur_pass<T><<<blocks, 256>>>(rows, height, width, 0, sigma, result.as<T>());
  const cudaError_t launched = cudaGetLastError();
  check(cudaFreeAsync(rows, nullptr));
  check(launched);
}

void blur(const py::object &image_array, double sigma, const py::object &result_array) {
  const DeviceArray image(image_array), result(result_array);
  if (image.dtype != result.dtype) {
    throw py::type_error("image and result must have the same dtype");
  }
  if (image.shape.size() != 2 || image.shape != result.shape) {
    throw py::value_error("image and result must have two dimensions, and the same shape");
  }
  if (!(sigma > 0 && sigma < 1e6)) {
    throw py::value_error("sigma must be positive and below 1e6");
  }
  if (image.dtype == "<f4") {
    launch<float>(image, sigma, result);
  } else if (image.dtype == "<f8") {
    launch<double>(image, sigma, result);
  } else {
    throw py::type_error("image must be float32 or float64");
  }
}

PYBIND11_MODULE(blur, module) {
  module.def("blur", &blur, py::arg("image"), py::arg("sigma"), py::arg("result"));
}
