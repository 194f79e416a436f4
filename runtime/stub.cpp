// Writes the stub of the declared functions, for type checkers: stub FILE.
//
// A program of the build's: it is linked with the functions and reads their table, and is in no
// wheel.

#include <cuvec/abi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>

namespace {

constexpr const char *HEAD = R"(# Written by the build, from the declarations in kernels/.

from typing import Any, SupportsComplex, SupportsFloat, SupportsIndex, TypeVar, overload

from .array import CuVec

)";

// What Python takes, and gives, for a number of a dtype: the wider the later.
enum Kind : std::uint8_t { Bool, Integer, Float, Complex };
constexpr std::array<const char *, 4> GIVEN{"bool", "SupportsIndex",
                                            "SupportsFloat | SupportsIndex",
                                            "SupportsComplex | SupportsFloat | SupportsIndex"};
constexpr std::array<const char *, 4> RETURNED{"bool", "int", "float", "complex"};

Kind kind_of(int dtype) {
  if (dtype == CUVEC_BOOL) {
    return Bool;
  }
  if (dtype < CUVEC_FLOAT16) {
    return Integer;
  }
  return dtype < CUVEC_COMPLEX64 ? Float : Complex;
}

/// That of the widest dtype that an argument can have.
Kind kind_of(const cuvec_function &function, const cuvec_argument &argument) {
  if (argument.dtype >= 0) {
    return kind_of(argument.dtype);
  }
  const cuvec_variable &variable = function.variables[-1 - argument.dtype];
  Kind widest = Bool;
  for (int k = 0; k < variable.count; ++k) {
    widest = std::max(widest, kind_of(variable.dtypes[k]));
  }
  return widest;
}

std::string default_of(const cuvec_argument &argument) {
  if (argument.dtype == CUVEC_BOOL) {
    return argument.value.integer != 0 ? "True" : "False";
  }
  if (argument.value.is_integer != 0) {
    return std::to_string(argument.value.integer);
  }
  std::array<char, 32> text{};
  for (int digits = 1; digits <= 17; ++digits) { // the fewest that are the same number
    std::snprintf(text.data(), text.size(), "%.*g", digits, argument.value.real);
    if (std::stod(text.data()) == argument.value.real) {
      break;
    }
  }
  return text.data();
}

std::string parameters_of(const cuvec_function &function) {
  std::string text;
  bool keyword_only = false;
  for (int i = 0; i < function.n_arguments; ++i) {
    const cuvec_argument &a = function.arguments[i];
    if (a.role == CUVEC_RESULT) {
      continue;
    }
    if (a.keyword_only != 0 && !keyword_only) {
      text += "*, ";
      keyword_only = true;
    }
    text += a.name;
    text += a.role == CUVEC_SCALAR ? std::string(": ") + GIVEN[kind_of(function, a)] : ": object";
    text += a.has_default != 0 ? " = " + default_of(a) + ", " : ", ";
  }
  return text + (keyword_only ? "" : "*, ");
}

/// What a call without `out` returns.
std::string returned_by(const cuvec_function &function, int results) {
  if (results == 0) {
    return "None";
  }
  std::string text;
  for (int i = function.n_arguments - results; i < function.n_arguments; ++i) {
    const cuvec_argument &a = function.arguments[i];
    text += (text.empty() ? "" : ", ");
    text += a.is_number != 0 ? RETURNED[kind_of(function, a)] : "CuVec";
  }
  return results == 1 ? text : "tuple[" + text + "]";
}

void write(std::ostream &stub, const cuvec_function &function) {
  int results = 0;
  for (int i = 0; i < function.n_arguments; ++i) {
    results += static_cast<int>(function.arguments[i].role == CUVEC_RESULT);
  }
  const std::string begin = std::string("def ") + function.name + "(" + parameters_of(function);
  const std::string end = "stream: object = None) -> ";
  if (results == 0) {
    stub << begin << end << "None: ...\n";
    return;
  }
  const std::string out = results == 1 ? "_Out" : "tuple[Any, ...]";
  stub << "@overload\n"
       << begin << "out: None = None, " << end << returned_by(function, results) << ": ...\n"
       << "@overload\n"
       << begin << "out: " << out << ", " << end << out << ": ...\n";
}

} // namespace

int main(int argc, char **argv) { // NOLINT(misc-const-correctness): so it is declared
  if (argc != 2) {
    std::cerr << "usage: stub FILE\n";
    return 2;
  }
  std::ofstream stub(argv[1]);
  stub << HEAD << "_Out = TypeVar(\"_Out\")\n\n__all__ = [";
  for (const cuvec_function *const *at = cuvec_functions; *at != nullptr; ++at) {
    stub << (at == cuvec_functions ? "" : ", ") << '"' << (*at)->name << '"';
  }
  stub << "]\n\n";
  for (const cuvec_function *const *at = cuvec_functions; *at != nullptr; ++at) {
    write(stub, **at);
  }
  stub.close();
  return stub ? 0 : 1;
}
