// What a function is called with.
#pragma once

#include <Python.h>
#include <array>
#include <cstddef>

namespace python {

/// The arguments of a call as the interpreter passes them to functions of the kind
/// `METH_FASTCALL | METH_KEYWORDS`: in a row, those by position before those by name.
class Call {
public:
  Call(PyObject *const *values, Py_ssize_t positional, PyObject *names)
      : values_(values), positional_(static_cast<std::size_t>(positional)), names_(names) {}

  /// The arguments in the order of the parameters; they belong to the caller. `required` ones are
  /// given by position or by name, `optional` ones by name, and are None otherwise. Throws
  /// `TypeError` for any other call.
  template <std::size_t R, std::size_t O>
  std::array<PyObject *, R + O> match(const char *function, const char *const (&required)[R],
                                      const char *const (&optional)[O]) const {
    std::array<PyObject *, R + O> arguments{};
    match(function, {required, R}, {optional, O}, arguments.data());
    return arguments;
  }

  /// As above, for a function without optional parameters.
  template <std::size_t R>
  std::array<PyObject *, R> match(const char *function, const char *const (&required)[R]) const {
    std::array<PyObject *, R> arguments{};
    match(function, {required, R}, {nullptr, 0}, arguments.data());
    return arguments;
  }

private:
  struct Names {
    const char *const *first;
    std::size_t count;
  };
  void match(const char *function, Names required, Names optional, PyObject **arguments) const;

  PyObject *const *values_;
  std::size_t positional_;
  PyObject *names_; // a tuple, or null
};

} // namespace python
