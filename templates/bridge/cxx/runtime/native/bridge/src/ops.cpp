// The functions of the package.

#include <host/ops.hpp>

#include "rust.hpp"

namespace host {

void axpy(double a, const Array &x, const Array &y, std::optional<Stream> stream) {
  checked([&] { rs::axpy(a, to_rust(x), to_rust(y), to_rust(stream)); });
}

double dot(const Array &x, const Array &y, std::optional<Stream> stream) {
  return checked([&] { return rs::dot(to_rust(x), to_rust(y), to_rust(stream)); });
}

void assign(const Array &x, const Array &y, std::optional<Stream> stream) {
  checked([&] { rs::assign(to_rust(x), to_rust(y), to_rust(stream)); });
}

std::uintptr_t address(const Array &x) {
  return checked([&] { return rs::address(to_rust(x)); });
}

} // namespace host
