// `__cuda_array_interface__`, version 3 and earlier.
//
// https://numba.readthedocs.io/en/stable/cuda/cuda_array_interface.html
#pragma once

#include <host/array.hpp>
#include <nanobind/nanobind.h>

namespace nb = nanobind;

/// The interface of an object; an invalid object when it has none.
nb::object find_cuda_array_interface(nb::handle object);

host::Array read_cuda_array_interface(nb::handle interface);

/// Whether the array may be written to.
bool is_writable(nb::handle interface);
