// A function written by hand, for work that is no kernel. It shows how to take arrays, let other
// threads run, look for Ctrl-C, and raise an exception of its own.

%module ext

%{
#include <algorithm>
#include <cmath>
#include <cstddef>

static PyObject *not_converged = nullptr;

// Makes every element but the ends the mean of its neighbours; returns the largest change.
static double smooth(double *x, std::ptrdiff_t n) {
  double largest = 0;
  for (std::ptrdiff_t i = 1; i < n - 1; ++i) {
    const double mean = (x[i - 1] + x[i + 1]) / 2;
    largest = std::max(largest, std::abs(mean - x[i]));
    x[i] = mean;
  }
  return largest;
}

// The number of rounds; null with an exception set.
static PyObject *relax(const Py_buffer &x, double tolerance, long limit) {
  for (long round = 1; round <= limit; ++round) {
    double change = 0;
    Py_BEGIN_ALLOW_THREADS; // other threads run meanwhile
    change = smooth(static_cast<double *>(x.buf), x.shape[0]);
    Py_END_ALLOW_THREADS;
    if (PyErr_CheckSignals() != 0) { // Ctrl-C
      return nullptr;
    }
    if (change <= tolerance) {
      return PyLong_FromLong(round);
    }
  }
  PyErr_SetString(not_converged, "x still changes after the last round");
  return nullptr;
}
%}

// How an array becomes a `Py_buffer`, and what is done with that after the call.
%typemap(arginit) const Py_buffer &x {
  view$argnum.obj = nullptr;
}
%typemap(in) const Py_buffer &x (Py_buffer view) {
  $1 = &view;
  if (PyObject_GetBuffer($input, $1, PyBUF_WRITABLE | PyBUF_ND | PyBUF_FORMAT) != 0) {
    SWIG_fail;
  }
  if ($1->ndim != 1 || $1->format == nullptr || $1->format[0] != 'd') {
    PyErr_SetString(PyExc_ValueError, "x must be a float64 array of one dimension");
    SWIG_fail;
  }
}
%typemap(freearg) const Py_buffer &x {
  PyBuffer_Release(&view$argnum);
}

%init %{
  not_converged = PyErr_NewException("ext.NotConverged", PyExc_RuntimeError, nullptr);
  if (PyModule_AddObjectRef(m, "NotConverged", not_converged) != 0) {
    return -1;
  }
%}

%feature("kwargs") relax;
%feature("docstring") relax "Smooth the float64 array `x` in place; return the number of rounds.";
PyObject *relax(const Py_buffer &x, double tolerance = 1e-6, long limit = 1000000);
