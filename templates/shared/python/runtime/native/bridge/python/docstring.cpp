#include "docstring.hpp"

namespace python {

namespace {

bool has_results(const host::Function &function) {
  return !function.parameters.empty() && function.parameters.back().is_result();
}

/// `T(m, n)` as words: "array of T, shape (m, n)"; numbers as they are.
std::string describe(const host::Parameter &parameter) {
  const auto shape = parameter.type.find('(');
  if (shape == std::string::npos) {
    return parameter.type;
  }
  const std::string dtype = parameter.type.substr(0, shape);
  const std::string extents = parameter.type.substr(shape);
  return "array of " + dtype + (extents == "(...)" ? ", any shape" : ", shape " + extents);
}

void add_parameters(std::string &text, const host::Function &function) {
  text += "\n\nParameters\n----------\n";
  for (const host::Parameter &parameter : function.parameters) {
    if (!parameter.is_result()) {
      const std::string fallback =
          parameter.fallback.empty() ? "" : ", default " + parameter.fallback;
      text += parameter.name + " : " + describe(parameter) + fallback + "\n";
    }
  }
  if (has_results(function)) {
    text += "out : array, or a tuple of them, optional\n"
            "    For the results, instead of new arrays. A number stays on the GPU in an array of\n"
            "    shape ().\n";
  }
  text += "stream : int or stream object, optional\n"
          "    Run on this CUDA stream and do not wait. Arrays in host memory are waited for.\n";
}

void add_results(std::string &text, const host::Function &function) {
  text += "\nReturns\n-------\n";
  for (const host::Parameter &parameter : function.parameters) {
    if (parameter.is_result()) {
      text += (parameter.name.empty() ? "" : parameter.name + " : ") + describe(parameter) + "\n";
    }
  }
}

} // namespace

std::string signature_of(const host::Function &function) {
  std::string text = function.name + "(";
  bool keyword_only = false;
  const auto keywords = [&] {
    text += keyword_only ? "" : "*, ";
    keyword_only = true;
  };
  for (const host::Parameter &parameter : function.parameters) {
    if (parameter.is_result()) {
      continue;
    }
    if (parameter.keyword_only) {
      keywords();
    }
    text += parameter.name + (parameter.fallback.empty() ? "" : "=" + parameter.fallback) + ", ";
  }
  keywords();
  text += has_results(function) ? "out=None, stream=None)" : "stream=None)";
  return text;
}

std::string docstring_of(const host::Function &function) {
  std::string text = signature_of(function) + "\n--\n\n" + function.doc;
  add_parameters(text, function);
  if (has_results(function)) {
    add_results(text, function);
  }
  return text + "\nNotes\n-----\nDeclared as ``" + function.signature +
         "``.\nArrays are any objects with `__dlpack__`, `__cuda_array_interface__` or the buffer\n"
         "protocol, C-contiguous; those that are written must not overlap with others.";
}

} // namespace python
