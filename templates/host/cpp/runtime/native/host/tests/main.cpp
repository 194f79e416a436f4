#include "test.hpp"

#include <exception>
#include <iostream>

#include <host/device.hpp>

std::vector<Test> &tests() {
  static std::vector<Test> all;
  return all;
}

int main() {
  const auto device = host::device();
  std::cout << "on " << device.kind << " " << device.name << " (" << device.reason << ")\n";
  int failures = 0;
  for (const auto &[name, body] : tests()) {
    try {
      body();
    } catch (const std::exception &error) {
      std::cout << name << " failed\n  " << error.what() << "\n";
      ++failures;
    }
  }
  std::cout << tests().size() << " tests, " << failures << " failed\n";
  return failures == 0 ? 0 : 1;
}
