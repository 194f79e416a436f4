#include "device_array.h"

// One warp for each row of `a`.
template <class T> __global__ void gemv_kernel(const T *a, const T *x, T *y, int64_t m, int64_t n) {
  const int64_t row = (blockIdx.x * int64_t(blockDim.x) + threadIdx.x) / 32;
  if (row >= m) {
    return;
  }
  T sum = 0;
  for (int64_t j = threadIdx.x % 32; j < n; j += 32) {
    sum += a[row * n + j] * x[j];
  }
  for (int k = 16; k > 0; k /= 2) {
    sum += __shfl_down_sync(~0U, sum, k);
  }
  if (threadIdx.x % 32 == 0) {
    y[row] = sum;
  }
}

template <class T> void launch(const DeviceArray &a, const DeviceArray &x, const DeviceArray &y) {
  const int64_t m = a.shape[0], n = a.shape[1];
  gemv_kernel<<<(m + 7) / 8, 256>>>(a.as<const T>(), x.as<const T>(), y.as<T>(), m, n);
  check(cudaGetLastError());
}

void gemv(const py::object &a_array, const py::object &x_array, const py::object &y_array) {
  const DeviceArray a(a_array), x(x_array), y(y_array);
  if (a.dtype != x.dtype || a.dtype != y.dtype) {
    throw py::type_error("a, x and y must have the same dtype");
  }
  if (a.shape.size() != 2 || x.shape != std::vector<int64_t>{a.shape[1]} ||
      y.shape != std::vector<int64_t>{a.shape[0]}) {
    throw py::value_error("the shapes must be (m,n),(n)->(m)");
  }
  if (a.dtype == "<f4") {
    launch<float>(a, x, y);
  } else if (a.dtype == "<f8") {
    launch<double>(a, x, y);
  } else {
    throw py::type_error("a must be float32 or float64");
  }
}

PYBIND11_MODULE(gemv, module) {
  module.def("gemv", &gemv, py::arg("a"), py::arg("x"), py::arg("y"));
}
