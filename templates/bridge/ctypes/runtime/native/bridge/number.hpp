// Numbers of the C interface, as the host has them.
#pragma once

#include <string>

#include <host/functions.hpp>

#include "core.h"

namespace core {

/// A number that C gives; `name` is the parameter's, for messages.
class Number final : public host::Number {
public:
  Number(const core_number &number, const std::string &name) : number_(number), name_(name) {}

  std::optional<host::Integer> integer() const override;
  double real() const override;
  std::complex<double> complex() const override;
  std::string type() const override;
  std::string text() const override;

private:
  const core_number &number_;
  const std::string &name_;
};

/// A number for C.
core_number to_c(const host::Value &value);

} // namespace core
