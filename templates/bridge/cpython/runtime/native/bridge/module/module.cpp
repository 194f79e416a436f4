// The extension module `_core`, in the C API of CPython.

#include <python/error.hpp>
#include <python/module.hpp>

namespace {

int fill(PyObject *module) noexcept {
  try {
    python::fill(module);
    return 0;
  } catch (...) {
    python::set_error();
    return -1;
  }
}

// The last two say what the module can do to interpreters that ask. The limited API of 3.11 has no
// words for it; without them a module is kept out of interpreters that have a GIL of their own.
PyModuleDef_Slot slots[] = {
    {Py_mod_exec, reinterpret_cast<void *>(fill)},
#ifdef Py_mod_multiple_interpreters
    {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
#endif
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, nullptr},
};

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    "_core",
    "Functions and memory of the package, in native code.",
    0,
    nullptr,
    slots,
    nullptr,
    nullptr,
    nullptr,
};

} // namespace

PyMODINIT_FUNC PyInit__core() { return PyModuleDef_Init(&definition); }
