// A function written by hand, for work that is no kernel. It shows how to take arrays, let other
// threads run, look for Ctrl-C, and raise an exception of its own.

#include <Python.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace {

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

/// The number of rounds; null with an exception set.
PyObject *rounds(PyObject *module, const Py_buffer &x, double tolerance, long limit) {
  if (x.ndim != 1 || x.format == nullptr || x.format[0] != 'd') {
    PyErr_SetString(PyExc_ValueError, "x must be a float64 array of one dimension");
    return nullptr;
  }
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
  PyObject *not_converged = PyObject_GetAttrString(module, "NotConverged");
  if (not_converged != nullptr) {
    PyErr_SetString(not_converged, "x still changes after the last round");
    Py_DECREF(not_converged);
  }
  return nullptr;
}

PyObject *relax(PyObject *module, PyObject *arguments, PyObject *keywords) {
  static const char *names[] = {"x", "tolerance", "limit", nullptr};
  PyObject *array = nullptr;
  double tolerance = 1e-6;
  long limit = 1'000'000;
  if (PyArg_ParseTupleAndKeywords(arguments, keywords, "O|dl", const_cast<char **>(names), &array,
                                  &tolerance, &limit) == 0) {
    return nullptr;
  }
  Py_buffer x{};
  if (PyObject_GetBuffer(array, &x, PyBUF_WRITABLE | PyBUF_ND | PyBUF_FORMAT) != 0) {
    return nullptr;
  }
  PyObject *result = rounds(module, x, tolerance, limit);
  PyBuffer_Release(&x);
  return result;
}

int fill(PyObject *module) {
  PyObject *not_converged = PyErr_NewException("ext.NotConverged", PyExc_RuntimeError, nullptr);
  const int status = PyModule_AddObjectRef(module, "NotConverged", not_converged);
  Py_XDECREF(not_converged);
  return status;
}

PyMethodDef functions[] = {
    {"relax", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(relax)),
     METH_VARARGS | METH_KEYWORDS, R"(relax($module, /, x, tolerance=1e-06, limit=1000000)
--

Smooth the float64 array `x` in place; return the number of rounds.)"},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef_Slot slots[] = {
    {Py_mod_exec, reinterpret_cast<void *>(fill)},
    {0, nullptr},
};

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    "ext",
    "Functions written by hand.",
    0,
    functions,
    slots,
    nullptr,
    nullptr,
    nullptr,
};

} // namespace

PyMODINIT_FUNC PyInit_ext() { return PyModuleDef_Init(&definition); }
