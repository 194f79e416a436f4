// A function written by hand, for work that is no kernel. It shows how to take arrays, let other
// threads run, look for Ctrl-C, and raise an exception of its own.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

namespace py = pybind11;
using namespace pybind11::literals;

namespace {

struct NotConverged : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using Floats = py::array_t<double, py::array::c_style>;

/// Makes every element but the ends the mean of its neighbours; returns the largest change.
double smooth(double *x, std::ptrdiff_t n) {
  double largest = 0;
  for (std::ptrdiff_t i = 1; i < n - 1; ++i) {
    const double mean = (x[i - 1] + x[i + 1]) / 2;
    largest = std::max(largest, std::abs(mean - x[i]));
    x[i] = mean;
  }
  return largest;
}

long relax(Floats &x, double tolerance, long limit) {
  if (x.ndim() != 1) {
    throw std::invalid_argument("x must have one dimension"); // a ValueError
  }
  double *elements = x.mutable_data(); // a ValueError if it is read-only
  for (long round = 1; round <= limit; ++round) {
    double change = 0;
    {
      const py::gil_scoped_release unlocked; // other threads run meanwhile
      change = smooth(elements, x.size());
    }
    if (PyErr_CheckSignals() != 0) { // Ctrl-C
      throw py::error_already_set();
    }
    if (change <= tolerance) {
      return round;
    }
  }
  throw NotConverged("x still changes after the last round");
}

} // namespace

PYBIND11_MODULE(ext, module, py::mod_gil_not_used()) {
  module.doc() = "Functions written by hand.";
  py::register_exception<NotConverged>(module, "NotConverged", PyExc_RuntimeError);
  module.def("relax", &relax, py::arg("x").noconvert(), "tolerance"_a = 1e-6, "limit"_a = 1'000'000,
             "Smooth the float64 array `x` in place; return the number of rounds.");
}
