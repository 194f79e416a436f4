// The Python module `_core`: functions made by SWIG, and the class `Buffer` of src/python.
//
// For classes SWIG would also write a module in Python. There are functions only, so the extension
// module can be all there is (-noproxy).

%module _core

%{
#include <optional>

#include <host/device.hpp>
#include <host/memory.hpp>
#include <host/ops.hpp>
#include <python/argument.hpp>
#include <python/buffer.hpp>
#include <python/error.hpp>
#include <python/run.hpp>
#include <python/stream.hpp>
#include <python/unlocked.hpp>
%}

%include "convert.i"
%include "device.i"
%include "memory.i"
%include "functions.i"

%init %{
  try {
    python::add_buffer(m);
  } catch (...) {
    python::set_error();
    return -1;
  }
  if (PyModule_SetDocString(m, "Functions and memory of the package, in native code.") < 0) {
    return -1;
  }
  // SWIG begins docstrings with a new line. Python knows a signature by its being in the first.
  for (PyMethodDef *function = SwigMethods; function->ml_name != nullptr; ++function) {
    if (function->ml_doc != nullptr && *function->ml_doc == '\n') {
      ++function->ml_doc;
    }
  }
%}
