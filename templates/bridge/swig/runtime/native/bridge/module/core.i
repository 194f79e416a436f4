// The extension module `_core`, made by SWIG.
//
// For classes SWIG would also write a module in Python. There are none of its own, so the extension
// module can be all there is (-noproxy).

%module _core

%{
#include <python/error.hpp>
#include <python/module.hpp>
%}

%init %{
  try {
    python::fill(m);
  } catch (...) {
    python::set_error();
    return -1;
  }
  if (PyModule_SetDocString(m, "Functions and memory of the package, in native code.") < 0) {
    return -1;
  }
%}
