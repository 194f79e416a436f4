#include "rows.hpp"

#include <host/error.hpp>
#include <host/functions.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <stdexcept>
#include <utility>

namespace host {

namespace {

std::string text_of(const cuvec_number &number, int dtype) {
  if (dtype == CUVEC_BOOL) {
    return number.integer != 0 ? "True" : "False";
  }
  if (number.is_integer != 0) {
    return std::to_string(number.integer);
  }
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.17g", number.real);
  for (int digits = 1; digits < 17; ++digits) { // the fewest that are the same number
    std::array<char, 32> shorter{};
    std::snprintf(shorter.data(), shorter.size(), "%.*g", digits, number.real);
    if (std::stod(shorter.data()) == number.real) {
      return shorter.data();
    }
  }
  return text.data();
}

std::string type_of(const cuvec_function &row, const cuvec_argument &argument) {
  std::string type = argument.dtype < 0 ? row.variables[-1 - argument.dtype].name
                                        : std::string(name(static_cast<DType>(argument.dtype)));
  if (argument.role == CUVEC_SCALAR || argument.is_number != 0) {
    return type;
  }
  return type + (argument.rank < 0 ? "(...)" : rows::shape_of(row, argument));
}

Parameter::Kind kind_of(const cuvec_argument &argument) {
  if (argument.role == CUVEC_SCALAR) {
    return Parameter::Kind::Number;
  }
  if (argument.role != CUVEC_RESULT) {
    return Parameter::Kind::Array;
  }
  return argument.is_number != 0 ? Parameter::Kind::NumberResult : Parameter::Kind::Result;
}

Function describe(const cuvec_function &row) {
  Function function{row.name, row.signature, row.doc, {}};
  for (int i = 0; i < row.n_arguments; ++i) {
    const cuvec_argument &a = row.arguments[i];
    std::string fallback = a.has_default != 0 ? text_of(a.value, a.dtype) : "";
    function.parameters.push_back(
        {a.name, kind_of(a), a.keyword_only != 0, std::move(fallback), type_of(row, a)});
  }
  return function;
}

/// The rows, once they are seen to be of the kind that this host knows.
std::vector<const cuvec_function *> read_rows() {
  std::vector<const cuvec_function *> rows;
  for (const cuvec_function *const *at = cuvec_functions; *at != nullptr; ++at) {
    if ((*at)->abi != CUVEC_ABI) {
      throw RuntimeError(std::string((*at)->file) +
                         " was compiled for another version of the runtime: "
                         "build the package again, from the beginning");
    }
    rows.push_back(*at);
  }
  return rows;
}

const std::vector<const cuvec_function *> &all_rows() {
  static const auto rows = read_rows();
  return rows;
}

} // namespace

const std::vector<Function> &functions() {
  static const auto described = [] {
    std::vector<Function> functions;
    for (const cuvec_function *row : all_rows()) {
      functions.push_back(describe(*row));
    }
    return functions;
  }();
  return described;
}

namespace rows {

const cuvec_function &row(std::size_t function) { return *all_rows().at(function); }

std::string text_of(const cuvec_function &row, const cuvec_extent &extent) {
  // Each part with how tightly it binds: 0 a sum, 1 a product, 2 anything else.
  std::vector<std::pair<std::string, int>> parts;
  for (int k = extent.first; k < extent.first + extent.count; ++k) {
    const cuvec_term &term = row.terms[k];
    if (term.operation == '#' || term.operation == 'd') {
      parts.emplace_back(
          term.operation == '#' ? std::to_string(term.value) : row.dimensions[term.value].name, 2);
      continue;
    }
    const int binds = term.operation == '+' || term.operation == '-' ? 0 : 1;
    const auto in_parentheses = [](const std::pair<std::string, int> &part, bool needed) {
      return needed ? "(" + part.first + ")" : part.first;
    };
    const auto right = parts.back();
    parts.pop_back();
    const auto left = parts.back();
    parts.back() = {in_parentheses(left, left.second < binds) + term.operation +
                        in_parentheses(right, right.second <= binds),
                    binds};
  }
  return parts.back().first;
}

namespace {

/// A shape as Python writes it, with `text` of each extent.
template <typename Text> std::string shape(const cuvec_argument &argument, const Text &text) {
  std::string all = "(";
  for (int axis = 0; axis < argument.rank; ++axis) {
    all += (axis > 0 ? ", " : "") + text(argument.shape[axis]);
  }
  return all + (argument.rank == 1 ? ",)" : ")");
}

} // namespace

std::string shape_of(const cuvec_function &row, const cuvec_argument &argument) {
  return shape(argument, [&](const cuvec_extent &extent) { return text_of(row, extent); });
}

std::string shape_of(const cuvec_function &row, const cuvec_argument &argument,
                     const std::int64_t *dimensions) {
  return shape(argument, [&](const cuvec_extent &extent) {
    return std::to_string(evaluate(row, extent, dimensions));
  });
}

namespace {

std::int64_t apply(char operation, std::int64_t a, std::int64_t b) {
  std::int64_t value = 0;
  bool overflows = false;
  switch (operation) {
  case '+':
    overflows = __builtin_add_overflow(a, b, &value);
    break;
  case '-':
    overflows = __builtin_sub_overflow(a, b, &value);
    break;
  case '*':
    overflows = __builtin_mul_overflow(a, b, &value);
    break;
  default:
    if (b == 0) {
      throw ValueError("an extent is divided by zero");
    }
    if (b == -1) { // the smallest number has no counterpart, and a CPU may trap
      overflows = __builtin_sub_overflow(std::int64_t{0}, a, &value);
      break;
    }
    value = a / b - static_cast<std::int64_t>(a % b != 0 && (a < 0) != (b < 0));
  }
  if (overflows) {
    throw ValueError("an extent is larger than the address space");
  }
  return value;
}

} // namespace

std::int64_t evaluate(const cuvec_function &row, const cuvec_extent &extent,
                      const std::int64_t *dimensions) {
  std::array<std::int64_t, CUVEC_MAX_TERMS> stack; // not filled: mostly one item is used
  std::size_t depth = 0;
  for (int k = extent.first; k < extent.first + extent.count; ++k) {
    const cuvec_term &term = row.terms[k];
    if (term.operation == '#' || term.operation == 'd') {
      stack.at(depth++) = term.operation == '#' ? term.value : dimensions[term.value];
    } else {
      --depth;
      stack.at(depth - 1) = apply(term.operation, stack.at(depth - 1), stack.at(depth));
    }
  }
  return stack[0];
}

} // namespace rows
} // namespace host
