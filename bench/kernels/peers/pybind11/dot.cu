#include "device_array.h"

template <class T> __global__ void dot_kernel(const T *x, const T *y, double *total, int64_t n) {
  __shared__ double shares[256];
  double share = 0;
  const int64_t threads = gridDim.x * int64_t(blockDim.x);
  for (int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x; i < n; i += threads) {
    share += double(x[i]) * double(y[i]);
  }
  shares[threadIdx.x] = share;
  for (unsigned half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) {
      shares[threadIdx.x] += shares[threadIdx.x + half];
    }
  }
  if (threadIdx.x == 0) {
    atomicAdd(total, shares[0]);
  }
}

template <class T> double launch(const DeviceArray &x, const DeviceArray &y) {
  double *total, result;
  check(cudaMalloc(&total, sizeof(double)));
  check(cudaMemset(total, 0, sizeof(double)));
  dot_kernel<<<1024, 256>>>(x.as<const T>(), y.as<const T>(), total, x.size());
  check(cudaMemcpy(&result, total, sizeof(double), cudaMemcpyDeviceToHost));
  check(cudaFree(total));
  return result;
}

double dot(const py::object &x_array, const py::object &y_array) {
  const DeviceArray x(x_array), y(y_array);
  if (x.dtype != y.dtype) {
    throw py::type_error("x and y must have the same dtype");
  }
  if (x.shape != y.shape) {
    throw py::value_error("x and y must have the same shape");
  }
  if (x.dtype == "<f4") {
    return launch<float>(x, y);
  }
  if (x.dtype == "<f8") {
    return launch<double>(x, y);
  }
  throw py::type_error("x must be float32 or float64");
}

PYBIND11_MODULE(dot, module) { module.def("dot", &dot, py::arg("x"), py::arg("y")); }
