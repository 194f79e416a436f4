// A declared function as Python calls it, and which argument of a call is for which parameter.
#pragma once

#include <string>
#include <vector>

#include <host/functions.hpp>
#include <host/inplace_vector.hpp>

#include "object.hpp"

namespace python {

/// What a call needs of a parameter or a result, apart from the rest: that is in many places.
struct Brief {
  const char *called;
  bool is_number;
};

/// A function as Python calls it. It lives as long as the process.
struct Callable {
  const host::Function *function;
  std::size_t index;
  std::vector<PyObject *>
      names; // interned: the parameters', then `out` if there are results, `stream`
  std::vector<Brief> briefs;
  std::size_t parameters = 0; // without results
  std::size_t positional = 0;
  std::size_t results = 0;
  std::string docstring;
  PyMethodDef method{};

  std::size_t out() const { return parameters; }
  std::size_t stream() const { return names.size() - 1; }
};

constexpr std::size_t MOST = host::MAX_ARGUMENTS + 2; // with `out` and `stream`

/// The arguments of a call in the order of `names`; null where none was given.
using Arguments = host::InplaceVector<PyObject *, MOST>;

/// A function, by its place among all.
Callable callable_of(std::size_t index);

/// Puts the arguments of a call where they belong; nothing is there yet.
void match(const Callable &callable, PyObject *const *values, std::size_t positional,
           PyObject *names, Arguments &matched);

} // namespace python
