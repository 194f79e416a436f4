// Arrays as arguments and results of functions that SWIG wraps, and their errors:
//
//     %include <cuvec/cuvec.i>
//     %cuvec_array(double, 1)
//     cuvec::Array<double, 1> half(const cuvec::Array<const double, 1> &x, PyObject *stream = nullptr);
//
// Messages call an argument as the declaration does.
%{
#include <cuvec/api.hpp>
%}

%init %{
  if (cuvec::guard(-1, [&] { return cuvec::load(m), 0; }) != 0) {
    return -1;
  }
%}

%define %cuvec_array(T, RANK)
%typemap(in) const cuvec::Array<T, RANK> & (cuvec::Array<T, RANK> array) {
  try {
    array = cuvec::Array<T, RANK>($input, "$1_name");
  } catch (...) {
    cuvec::set_error();
    SWIG_fail;
  }
  $1 = &array;
}
%typemap(in) const cuvec::Array<const T, RANK> & (cuvec::Array<const T, RANK> array) {
  try {
    array = cuvec::Array<const T, RANK>($input, "$1_name");
  } catch (...) {
    cuvec::set_error();
    SWIG_fail;
  }
  $1 = &array;
}
%typemap(out) cuvec::Array<T, RANK> {
  try {
    $result = $1.object();
  } catch (...) {
    cuvec::set_error();
    SWIG_fail;
  }
}
%enddef

%exception {
  try {
    $action
  } catch (...) {
    cuvec::set_error();
    SWIG_fail;
  }
}
