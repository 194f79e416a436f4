// The module `ext`, made with CPython's C API.

#include <Python.h>

#include <cuvec/api.hpp>

#include "smooth.h"

using Array = cuvec::Array<double>;

static constexpr PyObject *failed = nullptr; // with an exception set
static PyObject *not_converged = nullptr;    // the class

template <class F> static auto function(F *f) { // of any form that PyMethodDef and slots take
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(f));
}

static PyObject *relax_x(PyObject *, PyObject *arguments, PyObject *keywords) {
  static const char *names[] = {"x", "tolerance", "limit", "stream", nullptr};
  PyObject *x = nullptr, *stream = nullptr;
  double tolerance = 1e-6;
  long limit = 1'000'000;
  if (PyArg_ParseTupleAndKeywords(arguments, keywords, "O|dlO", const_cast<char **>(names), &x,
                                  &tolerance, &limit, &stream) == 0) {
    return nullptr;
  }
  return cuvec::guard(failed, [&] { // what is thrown becomes Python's exception
    try {
      return PyLong_FromLong(relax(Array(x, "x"), tolerance, limit, stream));
    } catch (const NotConverged &error) {
      PyErr_SetString(not_converged, error.what());
      return failed;
    }
  });
}

static PyObject *make_line(PyObject *, PyObject *arguments) {
  double start = 0, stop = 0;
  long long n = 0;
  if (PyArg_ParseTuple(arguments, "ddL", &start, &stop, &n) == 0) {
    return nullptr;
  }
  return cuvec::guard(failed, [&] { return line(start, stop, n).object(); });
}

static PyMethodDef functions[] = {
    {"relax", function(relax_x), METH_VARARGS | METH_KEYWORDS,
     "relax($module, /, x, tolerance=1e-06, limit=1000000, stream=None)\n--\n\n"
     "Relax the float64 array `x` to a line, in place; return the number of rounds."},
    {"line", make_line, METH_VARARGS,
     "line($module, start, stop, n, /)\n--\n\nReturn `n` numbers, evenly spaced."},
    {}};

struct SmootherObject {
  PyObject_HEAD;
  Smoother *smoother; // null before __init__
};

static Smoother *&smoother_of(PyObject *self) {
  return reinterpret_cast<SmootherObject *>(self)->smoother;
}

static int init(PyObject *self, PyObject *arguments, PyObject *keywords) {
  static const char *names[] = {"n", "strength", nullptr};
  long long n = 0;
  double strength = 0.5;
  if (PyArg_ParseTupleAndKeywords(arguments, keywords, "L|d", const_cast<char **>(names), &n,
                                  &strength) == 0) {
    return -1;
  }
  return cuvec::guard(-1, [&] {
    delete std::exchange(smoother_of(self), new Smoother(n, strength));
    return 0;
  });
}

static void dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  delete smoother_of(self);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

static PyObject *apply(PyObject *self, PyObject *arguments, PyObject *keywords) {
  static const char *names[] = {"x", "stream", nullptr};
  PyObject *x = nullptr, *stream = nullptr;
  if (PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O", const_cast<char **>(names), &x,
                                  &stream) == 0) {
    return nullptr;
  }
  return cuvec::guard(failed, [&] {
    if (smoother_of(self) == nullptr) {
      throw std::invalid_argument("the Smoother is not initialized");
    }
    smoother_of(self)->apply(Array(x, "x"), stream);
    return Py_NewRef(Py_None);
  });
}

static PyObject *close(PyObject *self, PyObject *) {
  if (smoother_of(self) != nullptr) {
    smoother_of(self)->close();
  }
  return Py_NewRef(Py_None);
}

static PyObject *enter(PyObject *self, PyObject *) { return Py_NewRef(self); }

static PyMethodDef methods[] = {
    {"apply", function(apply), METH_VARARGS | METH_KEYWORDS,
     "apply($self, /, x, stream=None)\n--\n\nSmooth the float64 array `x` in place, twice."},
    {"close", close, METH_NOARGS, "close($self, /)\n--\n\nRelease the buffer."},
    {"__enter__", enter, METH_NOARGS, nullptr},
    {"__exit__", close, METH_VARARGS, nullptr},
    {}};

static PyType_Slot smoother_slots[] = {
    {Py_tp_doc, const_cast<char *>("Smoother(n, strength=0.5)\n--\n\n"
                                   "Smooths arrays of `n` elements, with its own buffer.")},
    {Py_tp_init, reinterpret_cast<void *>(init)},
    {Py_tp_dealloc, reinterpret_cast<void *>(dealloc)},
    {Py_tp_methods, methods},
    {}};
static PyType_Spec smoother_spec = {"ext.Smoother", sizeof(SmootherObject), 0, Py_TPFLAGS_DEFAULT,
                                    smoother_slots};

static int add(PyObject *module, const char *name, PyObject *object) {
  const int status = PyModule_AddObjectRef(module, name, object);
  Py_XDECREF(object);
  return status;
}

static int fill(PyObject *module) {
  not_converged = PyErr_NewException("ext.NotConverged", PyExc_RuntimeError, nullptr);
  Py_XINCREF(not_converged);
  return cuvec::guard(-1, [&] {
    cuvec::load(module);
    const bool done = add(module, "NotConverged", not_converged) == 0 &&
                      add(module, "Smoother", PyType_FromSpec(&smoother_spec)) == 0;
    return done ? 0 : -1;
  });
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, reinterpret_cast<void *>(fill)}, {}};
static PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                 "ext",
                                 "Functions and classes written by hand.",
                                 0,
                                 functions,
                                 slots,
                                 nullptr,
                                 nullptr,
                                 nullptr};

PyMODINIT_FUNC PyInit_ext() { return PyModuleDef_Init(&definition); }
