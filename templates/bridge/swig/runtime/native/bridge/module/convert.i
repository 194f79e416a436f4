// How Python objects become C++ arguments, and C++ exceptions Python exceptions: of every function
// that is declared after this. A type without a typemap is passed as a bare pointer: give it one.

// Enough for SWIG to know the names.
namespace host {
struct Array;
struct Stream;
} // namespace host

// Other Python threads run while a function works.
%exception {
  try {
    const python::Unlocked released;
    $action
  } catch (...) {
    python::set_error();
    SWIG_fail;
  }
}

// Arguments have their C++ names in Python.
%feature("kwargs");

// Whatever Python's float() takes, other than text.
%typemap(in) double, float {
  $1 = static_cast<$1_ltype>(python::run(PyFloat_AsDouble, $input));
  if ($1 == -1 && PyErr_Occurred() != nullptr) {
    SWIG_fail;
  }
}

// Any object that lends an array. It is given back when the function has returned.
%typemap(in) const host::Array & (std::optional<python::Argument> argument) {
  try {
    argument.emplace($input);
  } catch (...) {
    python::set_error();
    SWIG_fail;
  }
  $1 = const_cast<host::Array *>(&argument->array());
}

// A stream of whatever library, or None. It has to be named: axpy(a, x, y, stream=s).
%typemap(in) std::optional<host::Stream> {
  if (PyTuple_Size(args) >= $argnum) {
    PyErr_SetString(PyExc_TypeError, "$symname() takes $1_name only by its name");
    SWIG_fail;
  }
  try {
    $1 = python::stream($input);
  } catch (...) {
    python::set_error();
    SWIG_fail;
  }
}
