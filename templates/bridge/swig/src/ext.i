// The module `ext`, made with SWIG.
%module ext

%pythonbegin %{
# mypy: ignore-errors
%}
%include <cuvec/cuvec.i>

%{
#include "smooth.h"
static PyObject *not_converged = nullptr; // the class
%}
%init %{
  not_converged = PyErr_NewException("ext.NotConverged", PyExc_RuntimeError, nullptr);
  if (PyModule_AddObjectRef(m, "NotConverged", not_converged) != 0) {
    return -1;
  }
%}
%pythoncode %{
NotConverged = _ext.NotConverged
%}

%cuvec_array(double, 1) // what functions take and return; messages call an argument as it is called here

%typemap(throws) NotConverged {
  PyErr_SetString(not_converged, $1.what());
  SWIG_fail;
}
%feature("kwargs");
%catches(NotConverged) relax;
%feature("docstring") relax "Relax the float64 array `x` to a line, in place; return the number of rounds.";
%feature("docstring") line "Return `n` numbers, evenly spaced.";
long relax(const cuvec::Array<double, 1> &x, double tolerance = 1e-6, long limit = 1000000, PyObject *stream = nullptr);
cuvec::Array<double, 1> line(double start, double stop, long long n);

%feature("docstring") Smoother "Smooths arrays of `n` elements, with its own buffer.";
%feature("docstring") Smoother::apply "Smooth the float64 array `x` in place, twice.";
class Smoother {
public:
  Smoother(long long n, double strength = 0.5);
  void apply(const cuvec::Array<double, 1> &x, PyObject *stream = nullptr) const;
  void close();
  %pythoncode %{
    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()
  %}
};
