#include "device_array.h"

template <class T> __global__ void axpy_kernel(T a, const T *x, T *y, int64_t n) {
  const int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i < n) {
    y[i] += a * x[i];
  }
}

template <class T> void launch(double a, const DeviceArray &x, const DeviceArray &y) {
  axpy_kernel<<<(x.size() + 255) / 256, 256>>>(T(a), x.as<const T>(), y.as<T>(), x.size());
  check(cudaGetLastError());
}

void axpy(double a, const py::object &x_array, const py::object &y_array) {
  const DeviceArray x(x_array), y(y_array);
  if (x.dtype != y.dtype) {
    throw py::type_error("x and y must have the same dtype");
  }
  if (x.shape != y.shape) {
    throw py::value_error("x and y must have the same shape");
  }
  if (x.dtype == "<f4") {
    launch<float>(a, x, y);
  } else if (x.dtype == "<f8") {
    launch<double>(a, x, y);
  } else {
    throw py::type_error("x must be float32 or float64");
  }
}

PYBIND11_MODULE(axpy, module) {
  module.def("axpy", &axpy, py::arg("a"), py::arg("x"), py::arg("y"));
}
