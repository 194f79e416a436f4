// The extension module `_core`: Python objects in, calls of the host out.

#include "module.hpp"
#include "crossings.hpp"

NB_MODULE(_core, module) {
  module.attr("__doc__") = "Functions and memory of the package, in native code.";
  // An array that is alive when the interpreter ends is none of the user's business.
  nb::set_leak_warnings(false);
  import_numpy();
  add_errors(module);
  add_buffer(module);
  add_device(module);
  add_functions(module);
  add_crossings(module);
}
