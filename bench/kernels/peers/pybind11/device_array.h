#pragma once
// A contiguous array on the GPU, by its `__cuda_array_interface__`; what every function needs once.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <string>
#include <vector>

namespace py = pybind11;

struct DeviceArray {
  void *data;
  std::vector<int64_t> shape;
  std::string dtype; // "<f4" or "<f8", say

  DeviceArray(const py::object &array) {
    const py::dict about = array.attr("__cuda_array_interface__");
    data = reinterpret_cast<void *>(about["data"].cast<py::tuple>()[0].cast<uintptr_t>());
    shape = about["shape"].cast<std::vector<int64_t>>();
    dtype = about["typestr"].cast<std::string>();
    if (about.contains("strides") && !about["strides"].is_none()) {
      throw py::value_error("the array must be contiguous");
    }
  }

  int64_t size() const {
    int64_t product = 1;
    for (const int64_t extent : shape) {
      product *= extent;
    }
    return product;
  }

  template <class T> T *as() const { return static_cast<T *>(data); }
};

inline void check(cudaError_t error) {
  if (error != cudaSuccess) {
    throw std::runtime_error(cudaGetErrorString(error));
  }
}
