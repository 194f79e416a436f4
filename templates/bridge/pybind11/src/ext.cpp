// The module `ext`, made with pybind11.

#include <cuvec/pybind11.h>

#include "smooth.h"

namespace py = pybind11;
using namespace pybind11::literals;

using X = cuvec::Named<"x", double>; // an argument `x`: one dimension, float64

PYBIND11_MODULE(ext, module, py::mod_gil_not_used()) {
  cuvec::load(module);
  module.doc() = "Functions and classes written by hand.";
  py::register_exception<NotConverged>(module, "NotConverged", PyExc_RuntimeError);

  const auto relax_x = [](const X &x, double tolerance, long limit, py::handle stream) {
    return relax(x, tolerance, limit, stream.ptr());
  };
  module.def("relax", relax_x, "x"_a, "tolerance"_a = 1e-6, "limit"_a = 1'000'000,
             "stream"_a = py::none(),
             "Relax the float64 array `x` to a line, in place; return the number of rounds.");
  module.def("line", line, "start"_a, "stop"_a, "n"_a, "Return `n` numbers, evenly spaced.");

  const auto apply_to_x = [](const Smoother &self, const X &x, py::handle stream) {
    self.apply(x, stream.ptr());
  };
  py::class_<Smoother>(module, "Smoother", "Smooths arrays of `n` elements, with its own buffer.")
      .def(py::init<long long, double>(), "n"_a, "strength"_a = 0.5)
      .def("apply", apply_to_x, "x"_a, "stream"_a = py::none(),
           "Smooth the float64 array `x` in place, twice.")
      .def("close", &Smoother::close, "Release the buffer.")
      .def("__enter__", [](py::object self) { return self; })
      .def("__exit__", [](Smoother &self, const py::args &) { self.close(); });
}
