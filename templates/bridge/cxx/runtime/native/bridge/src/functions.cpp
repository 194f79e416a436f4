// The declared functions: what they are and what a call does is Rust's.

#include <host/functions.hpp>
#include <host/inplace_vector.hpp>

#include <atomic>
#include <new>

#include "interrupt.hpp"
#include "rust.hpp"

namespace host {

namespace {

Parameter::Kind kind_of(rs::ParameterKind kind) {
  switch (kind) {
  case rs::ParameterKind::Number:
    return Parameter::Kind::Number;
  case rs::ParameterKind::Result:
    return Parameter::Kind::Result;
  case rs::ParameterKind::NumberResult:
    return Parameter::Kind::NumberResult;
  default:
    return Parameter::Kind::Array;
  }
}

Function described(const rs::Function &function) {
  Function described{
      std::string(function.name), std::string(function.signature), std::string(function.doc), {}};
  for (const rs::Parameter &parameter : function.parameters) {
    described.parameters.push_back({std::string(parameter.name), kind_of(parameter.kind),
                                    parameter.keyword_only, std::string(parameter.fallback),
                                    std::string(parameter.type_text)});
  }
  return described;
}

std::vector<Function> all() {
  std::vector<Function> functions;
  for (const rs::Function &function : checked([] { return rs::functions(); })) {
    functions.push_back(described(function));
  }
  return functions;
}

std::atomic<bool (*)()> interrupt_check{nullptr};

/// What is given for a call, as Rust borrows it.
struct Lent {
  Lent(std::size_t function, const Given *given) {
    std::size_t i = 0;
    for (const Parameter &parameter : functions().at(function).parameters) {
      if (const Array *array = given[i].array) {
        arrays.emplace_with([&] { return rs::Given{i, to_rust(*array)}; });
      } else if (given[i].real) {
        reals.emplace_with([&] { return rs::Real{i, *given[i].real}; });
      } else if (parameter.kind == Parameter::Kind::Array) {
        throw TypeError(parameter.name + " is missing");
      }
      ++i;
    }
  }

  InplaceVector<rs::Given, MAX_ARGUMENTS> arrays;
  InplaceVector<rs::Real, MAX_ARGUMENTS> reals;
};

/// Begins a call with the arrays that are given.
rust::Box<rs::Invocation> begin(std::size_t function, const Given *given) {
  const Lent lent(function, given);
  return checked([&] { return rs::begin(function, {lent.arrays.begin(), lent.arrays.size()}); });
}

/// Whether the number fits into the dtype that its parameter has in this call.
bool takes(rs::Invocation &call, std::size_t i, const std::string &name, const Number &number) {
  switch (kind(call.dtype(i))) {
  case 'f':
    return call.give_real(i, number.real());
  case 'c': {
    const std::complex<double> value = number.complex();
    return call.give_complex(i, value.real(), value.imag());
  }
  default: {
    const auto value = number.integer();
    if (!value) {
      throw TypeError(name + " must be an integer, not " + number.type());
    }
    return value->fits && call.give_integer(i, value->negative, value->magnitude);
  }
  }
}

/// Gives a call a number, or its default.
void give(rs::Invocation &call, std::size_t i, const Parameter &parameter, const Number *number) {
  if (number == nullptr) {
    if (parameter.fallback.empty()) {
      throw TypeError(parameter.name + " is missing");
    }
    call.give_default(i);
  } else if (!takes(call, i, parameter.name, *number)) {
    throw OverflowError(parameter.name + " = " + number->text() + " does not fit into " +
                        std::string(host::name(call.dtype(i))));
  }
}

} // namespace

const std::vector<Function> &functions() {
  static const auto described = all();
  return described;
}

void set_interrupt_check(bool (*check)()) {
  interrupt_check.store(check, std::memory_order_release);
  rs::watch_for_interrupts();
}

bool is_interrupted() noexcept {
  const auto check = interrupt_check.load(std::memory_order_acquire);
  return check != nullptr && check();
}

namespace {

bool run_in_rust(std::size_t function, const Given *given, std::optional<Stream> stream) {
  const Lent lent(function, given);
  return checked([&] {
    return rs::run_at_once(function, {lent.arrays.begin(), lent.arrays.size()},
                           {lent.reals.begin(), lent.reals.size()}, to_rust(stream));
  });
}

} // namespace

bool (*const run_at_once)(std::size_t, const Given *, std::optional<Stream>) = run_in_rust;

struct Invocation::State {
  rust::Box<rs::Invocation> rust;
  std::vector<New> missing;
};

void Invocation::Destroy::operator()(State *state) const { state->~State(); }

Invocation::Invocation(std::size_t function, const Given *given)
    : state_(new (&memory_) State{begin(function, given), {}}) {
  rs::Invocation &call = *state_->rust;
  std::size_t i = 0;
  for (const Parameter &parameter : functions()[function].parameters) {
    if (parameter.kind == Parameter::Kind::Number) {
      host::give(call, i, parameter, given[i].number);
    }
    ++i;
  }
  const std::size_t count = checked([&] { return call.check(); });
  for (std::size_t place = 0; place < count; ++place) {
    const rs::Missing missing = call.missing(place);
    state_->missing.push_back(
        {missing.parameter, missing.dtype, Shape(missing.shape.begin(), missing.shape.end())});
  }
}

Invocation::~Invocation() = default;

const std::vector<Invocation::New> &Invocation::missing() const { return state_->missing; }

std::shared_ptr<Block> Invocation::allocate(const New &result) const {
  const auto place = static_cast<std::size_t>(&result - state_->missing.data());
  return to_block(checked([&] { return state_->rust->allocate(place); }));
}

void Invocation::give(std::size_t parameter, const Array &array) {
  state_->rust->give(parameter, to_rust(array));
}

void Invocation::run(std::optional<Stream> stream) {
  checked([&] { state_->rust->run(to_rust(stream)); });
}

Value Invocation::number(std::size_t parameter) const {
  const rs::Value number = state_->rust->number(parameter);
  Value value{number.dtype, {}};
  std::transform(number.bytes.begin(), number.bytes.end(), value.bytes.begin(),
                 [](std::uint8_t byte) { return std::byte{byte}; });
  return value;
}

} // namespace host
