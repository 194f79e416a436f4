#include "callable.hpp"

#include "docstring.hpp"
#include "read.hpp"

namespace python {

namespace {

[[noreturn]] void refuse(const Callable &callable, const std::string &why) {
  throw host::TypeError(callable.function->name + "() " + why);
}

/// Which parameter has this name.
std::size_t find(const Callable &callable, PyObject *name) {
  for (std::size_t i = 0; i < callable.names.size(); ++i) {
    if (callable.names[i] == name) { // what compilers and interpreters write is interned
      return i;
    }
  }
  for (std::size_t i = 0; i < callable.names.size(); ++i) {
    if (PyUnicode_Compare(callable.names[i], name) == 0) {
      return i;
    }
  }
  refuse(callable, "got an unexpected keyword argument '" + to_string(name).value_or("") + "'");
}

} // namespace

Callable callable_of(std::size_t index) {
  const host::Function &function = host::functions()[index];
  Callable callable{&function, index, {}, {}, 0, 0, 0, docstring_of(function), {}};
  for (const host::Parameter &parameter : function.parameters) {
    callable.briefs.push_back(
        {parameter.called(), parameter.kind == host::Parameter::Kind::Number});
    if (parameter.is_result()) {
      ++callable.results;
      continue;
    }
    callable.names.push_back(interned(parameter.name.c_str()));
    ++callable.parameters;
    callable.positional += parameter.keyword_only ? 0 : 1;
  }
  if (callable.results > 0) {
    callable.names.push_back(interned("out"));
  }
  callable.names.push_back(interned("stream"));
  return callable;
}

void match(const Callable &callable, PyObject *const *values, std::size_t positional,
           PyObject *names, Arguments &matched) {
  if (positional > callable.positional) {
    refuse(callable, "takes " + std::to_string(callable.positional) +
                         (callable.positional == 1 ? " argument" : " arguments") +
                         " by position, not " + std::to_string(positional));
  }
  for (std::size_t i = 0; i < callable.names.size(); ++i) {
    matched.emplace_back(i < positional ? values[i] : nullptr);
  }
  const Py_ssize_t named = names == nullptr ? 0 : PyTuple_Size(names);
  for (Py_ssize_t k = 0; k < named; ++k) {
    PyObject *name = PyTuple_GetItem(names, k);
    PyObject *&place = matched[find(callable, name)];
    if (place != nullptr) {
      refuse(callable, "got multiple values for argument '" + to_string(name).value_or("") + "'");
    }
    place = values[positional + static_cast<std::size_t>(k)];
  }
  for (std::size_t i = 0; i < callable.parameters; ++i) {
    if (matched[i] == nullptr && callable.function->parameters[i].fallback.empty()) {
      refuse(callable, "missing required argument '" + callable.function->parameters[i].name + "'");
    }
  }
}

} // namespace python
