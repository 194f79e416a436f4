// What the parts of the module add to it.
#pragma once

#include <pybind11/pybind11.h>

#include <python/unlocked.hpp>

namespace py = pybind11;

/// Other Python threads run while a function of C++ works. Unlike `py::gil_scoped_release`, it does
/// not abort the process when Python ends while a daemon thread is in such a function.
using Unlocked = py::call_guard<python::Unlocked>;

void add_errors();
void add_device(py::module_ &module);
void add_functions(py::module_ &module);
