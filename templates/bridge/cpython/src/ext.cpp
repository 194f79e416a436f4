// The module `ext`, made with CPython's C API.

#include <cuvec/cpython.h> // what they throw becomes Python's exception

#include "smooth.h"

static PyObject *not_converged = nullptr; // the class

static PyObject *relax_x(PyObject *, PyObject *arguments, PyObject *keywords) {
  PyObject *x = nullptr, *stream = nullptr;
  double tolerance = 1e-6;
  long limit = 1'000'000;
  cuvec::parse(arguments, keywords, "O|dlO", {"x", "tolerance", "limit", "stream"}, &x, &tolerance,
               &limit, &stream);
  try {
    return PyLong_FromLong(relax(Vector(x, "x"), tolerance, limit, stream));
  } catch (const NotConverged &error) {
    PyErr_SetString(not_converged, error.what());
    return nullptr;
  }
}

static PyObject *make_line(PyObject *, PyObject *arguments, PyObject *keywords) {
  double start = 0, stop = 0;
  long long n = 0;
  cuvec::parse(arguments, keywords, "ddL", {"start", "stop", "n"}, &start, &stop, &n);
  return line(start, stop, n).object();
}

static PyMethodDef functions[] = {
    cuvec::method<relax_x>(
        "relax", "relax($module, /, x, tolerance=1e-06, limit=1000000, stream=None)\n--\n\n"
                 "Relax the float64 array `x` to a line, in place; return the number of rounds."),
    cuvec::method<make_line>("line", "line($module, /, start, stop, n)\n--\n\n"
                                     "Return `n` numbers, evenly spaced."),
    {}};

static Smoother *make_smoother(PyObject *arguments, PyObject *keywords) {
  long long n = 0;
  double strength = 0.5;
  cuvec::parse(arguments, keywords, "L|d", {"n", "strength"}, &n, &strength);
  return new Smoother(n, strength);
}

static PyObject *apply(PyObject *self, PyObject *arguments, PyObject *keywords) {
  PyObject *x = nullptr, *stream = nullptr;
  cuvec::parse(arguments, keywords, "O|O", {"x", "stream"}, &x, &stream);
  cuvec::self<Smoother>(self).apply(Vector(x, "x"), stream);
  return cuvec::none();
}

static PyMethodDef methods[] = {
    cuvec::method<apply>("apply", "apply($self, /, x, stream=None)\n--\n\n"
                                  "Smooth the float64 array `x` in place, twice."),
    cuvec::method<cuvec::close<Smoother>>("close", "close($self, /)\n--\n\nRelease the buffer."),
    cuvec::method<cuvec::enter>("__enter__"),
    cuvec::method<cuvec::close<Smoother>>("__exit__"),
    {}};

static void fill(PyObject *module) {
  not_converged = cuvec::add_exception(module, "ext.NotConverged", PyExc_RuntimeError);
  cuvec::add_class<Smoother, make_smoother>(
      module, "ext.Smoother",
      "Smoother(n, strength=0.5)\n--\n\nSmooths arrays of `n` elements, with its own buffer.",
      methods);
}

PyMODINIT_FUNC PyInit_ext() {
  return cuvec::module<fill>("ext", "Functions and classes written by hand.", functions);
}
