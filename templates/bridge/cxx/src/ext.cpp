// Makes the Rust function `ext::smooth` one of Python. It shows how to take arrays, let other
// threads run, look for Ctrl-C, and raise an exception of its own.

#include <cstddef>
#include <stdexcept>

#include <nanobind/nanobind.h>

#include <ext/lib.rs.h>

namespace nb = nanobind;
using namespace nb::literals;

namespace {

struct NotConverged : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The elements of a float64 array. (`nb::ndarray` would ask for DLPack, which says of managed
/// memory that it is the GPU's.)
class Floats {
public:
  explicit Floats(nb::handle array) {
    if (PyObject_GetBuffer(array.ptr(), &view_, PyBUF_WRITABLE | PyBUF_ND | PyBUF_FORMAT) != 0) {
      throw nb::python_error();
    }
    if (view_.ndim != 1 || view_.format == nullptr || view_.format[0] != 'd') {
      PyBuffer_Release(&view_);
      throw nb::value_error("x must be a float64 array of one dimension");
    }
  }
  ~Floats() { PyBuffer_Release(&view_); }
  Floats(const Floats &) = delete;
  Floats &operator=(const Floats &) = delete;

  rust::Slice<double> slice() const {
    return {static_cast<double *>(view_.buf), static_cast<std::size_t>(view_.shape[0])};
  }

private:
  Py_buffer view_{};
};

long relax(nb::handle x, double tolerance, long limit) {
  const Floats floats(x);
  for (long round = 1; round <= limit; ++round) {
    double change = 0;
    {
      const nb::gil_scoped_release unlocked; // other threads run meanwhile
      change = ext::smooth(floats.slice());
    }
    if (PyErr_CheckSignals() != 0) { // Ctrl-C
      throw nb::python_error();
    }
    if (change <= tolerance) {
      return round;
    }
  }
  throw NotConverged("x still changes after the last round");
}

} // namespace

NB_MODULE(ext, module) {
  module.attr("__doc__") = "Functions written by hand.";
  nb::exception<NotConverged>(module, "NotConverged", PyExc_RuntimeError);
  module.def("relax", &relax, "x"_a, "tolerance"_a = 1e-6, "limit"_a = 1'000'000,
             "Smooth the float64 array `x` in place; return the number of rounds.");
}
