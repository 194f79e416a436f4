// Arrays as arguments and results of functions that SWIG wraps, and their errors:
//
//     %include <cuvec.i>
//     %cuvec_array(double, 1)
//     cuvec::Array<double, 1> half(const cuvec::Array<const double, 1> &x, PyObject *stream = nullptr);
//
// Messages call an argument as the declaration does.
%{
#include <cuvec/api.hpp>
%}

%init %{
  if (!cuvec::guard(false, [&] { return cuvec::load(m), true; })) {
    return SWIG_INIT_FAILED;
  }
%}

%define %cuvec_array(T, RANK)
%typemap(in, doc="$1_name: array") const cuvec::Array<T, RANK> & (cuvec::Array<T, RANK> array) {
  if (!cuvec::guard(false, [&] { return array = {$input, "$1_name"}, true; })) {
    SWIG_fail;
  }
  $1 = &array;
}
%typemap(in) const cuvec::Array<const T, RANK> & (cuvec::Array<const T, RANK> array) {
  if (!cuvec::guard(false, [&] { return array = {$input, "$1_name"}, true; })) {
    SWIG_fail;
  }
  $1 = &array;
}
%typemap(out) cuvec::Array<T, RANK> {
  $result = cuvec::guard(static_cast<PyObject *>(nullptr), [&] { return $1.object(); });
  if ($result == nullptr) {
    SWIG_fail;
  }
}
%enddef

%exception {
  if (!cuvec::guard(false, [&] { $action; return true; })) {
    SWIG_fail;
  }
}
