// The module `ext`, made with nanobind.

#include <cuvec/nanobind.h>

#include "smooth.h"

namespace nb = nanobind;
using namespace nb::literals;

using X = cuvec::Named<"x", double>; // an argument `x`: one dimension, float64

NB_MODULE(ext, module) {
  cuvec::load(module);
  module.attr("__doc__") = "Functions and classes written by hand.";
  nb::exception<NotConverged>(module, "NotConverged", PyExc_RuntimeError);

  const auto relax_x = [](const X &x, double tolerance, long limit, nb::handle stream) {
    return relax(x, tolerance, limit, stream.ptr());
  };
  module.def("relax", relax_x, "x"_a, "tolerance"_a = 1e-6, "limit"_a = 1'000'000,
             "stream"_a = nb::none(),
             "Relax the float64 array `x` to a line, in place; return the number of rounds.");
  module.def("line", line, "start"_a, "stop"_a, "n"_a, "Return `n` numbers, evenly spaced.");

  const auto apply_to_x = [](const Smoother &self, const X &x, nb::handle stream) {
    self.apply(x, stream.ptr());
  };
  nb::class_<Smoother>(module, "Smoother", "Smooths arrays of `n` elements, with its own buffer.")
      .def(nb::init<long long, double>(), "n"_a, "strength"_a = 0.5)
      .def("apply", apply_to_x, "x"_a, "stream"_a = nb::none(),
           "Smooth the float64 array `x` in place, twice.")
      .def("close", &Smoother::close, "Release the buffer.")
      .def("__enter__", [](nb::object self) { return self; })
      .def("__exit__", [](Smoother &self, nb::args) { self.close(); });
}
