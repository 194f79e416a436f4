#include "call.hpp"

#include <algorithm>
#include <string>

#include <host/error.hpp>
#include <python/object.hpp>
#include <python/read.hpp>

namespace python {

void Call::match(const char *function, Names required, Names optional, PyObject **arguments) const {
  const auto refuse = [function](const std::string &why) {
    throw host::TypeError(std::string(function) + "() " + why);
  };
  const std::size_t count = required.count + optional.count;
  const auto name = [&](std::size_t parameter) {
    return parameter < required.count ? required.first[parameter]
                                      : optional.first[parameter - required.count];
  };

  if (positional_ > required.count) {
    refuse("takes " + std::to_string(required.count) + " arguments by position, not " +
           std::to_string(positional_));
  }
  std::copy_n(values_, positional_, arguments);

  const Py_ssize_t named = names_ == nullptr ? 0 : PyTuple_Size(names_);
  for (Py_ssize_t index = 0; index < named; ++index) {
    PyObject *given = PyTuple_GetItem(names_, index);
    std::size_t parameter = 0;
    while (parameter < count && PyUnicode_CompareWithASCIIString(given, name(parameter)) != 0) {
      ++parameter;
    }
    if (parameter == count) {
      refuse("got an unexpected keyword argument '" + to_string(given).value_or("") + "'");
    }
    if (arguments[parameter] != nullptr) {
      refuse(std::string("got multiple values for argument '") + name(parameter) + "'");
    }
    arguments[parameter] = values_[positional_ + static_cast<std::size_t>(index)];
  }

  const auto *missing = std::find(arguments, arguments + required.count, nullptr);
  if (missing != arguments + required.count) {
    refuse(std::string("missing required argument '") + name(missing - arguments) + "'");
  }
  std::replace(arguments, arguments + count, static_cast<PyObject *>(nullptr), Py_None);
}

} // namespace python
