#include "device_array.h"

template <class T> __global__ void scale_kernel(T a, T *x, int64_t n) {
  const int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i < n) {
    x[i] *= a;
  }
}

template <class T> void launch(double a, const DeviceArray &x) {
  scale_kernel<<<(x.size() + 255) / 256, 256>>>(T(a), x.as<T>(), x.size());
  check(cudaGetLastError());
}

void scale(double a, const py::object &array) {
  const DeviceArray x(array);
  if (x.dtype == "<f4") {
    launch<float>(a, x);
  } else if (x.dtype == "<f8") {
    launch<double>(a, x);
  } else {
    throw py::type_error("x must be float32 or float64");
  }
}

PYBIND11_MODULE(scale, module) { module.def("scale", &scale, py::arg("a"), py::arg("x")); }
