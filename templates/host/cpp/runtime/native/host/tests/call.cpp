#include "call.hpp"

#include <array>
#include <cstddef>
#include <deque>
#include <stdexcept>

#include <host/device.hpp>

std::shared_ptr<Literal> Literal::huge() {
  auto literal = std::make_shared<Literal>();
  literal->integer_ = host::Integer{false, 0, false};
  literal->value_ = 1e30;
  return literal;
}

void Literal::set_integer(bool negative, std::uint64_t bits) {
  const std::uint64_t magnitude = negative ? 0 - bits : bits;
  integer_ = host::Integer{negative, magnitude, true};
  value_ = negative ? -static_cast<double>(magnitude) : static_cast<double>(magnitude);
  text_ = (negative ? "-" : "") + std::to_string(magnitude);
}

std::size_t function_of(const std::string &name) {
  for (std::size_t index = 0; index < host::functions().size(); ++index) {
    if (host::functions()[index].name == name) {
      return index;
    }
  }
  throw std::logic_error("there is no function " + name);
}

std::vector<Result> call(const std::string &name, std::initializer_list<Argument> arguments) {
  const std::size_t index = function_of(name);
  const auto &parameters = host::functions()[index].parameters;
  std::vector<host::Given> given(parameters.size());
  std::size_t place = 0;
  for (const Argument &argument : arguments) {
    given.at(place++) = argument.given();
  }

  host::Invocation invocation(index, given.data());
  std::vector<Result> results;
  std::deque<host::Array> made; // whose items stay where they are
  for (const auto &missing : invocation.missing()) {
    auto block = invocation.allocate(missing);
    host::Array &array = made.emplace_back();
    array.address = block->address();
    array.dtype = missing.dtype;
    array.shape = missing.shape;
    if (block->gpu()) {
      array.place = block;
    }
    invocation.give(missing.parameter, array);
    results.push_back({missing.dtype, missing.shape, std::move(block), {}});
  }
  invocation.run({});
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].kind == host::Parameter::Kind::NumberResult && given[i].array == nullptr) {
      const host::Value value = invocation.number(i);
      results.push_back({value.dtype, {}, nullptr, value});
    }
  }
  return results;
}

bool on_the_cpu() { return host::device().kind == "cpu"; }
