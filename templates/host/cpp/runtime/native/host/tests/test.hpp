// The least that a test needs: TEST registers one, CHECK and CHECK_THROWS end it when they fail.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

struct Test {
  std::string name;
  std::function<void()> body;
};

/// All tests of the executable.
std::vector<Test> &tests();

struct Registered {
  Registered(const char *name, void (*body)()) { tests().push_back({name, body}); }
};

[[noreturn]] inline void fail(const char *file, int line, const std::string &what) {
  throw std::logic_error(std::string(file) + ":" + std::to_string(line) + ": " + what);
}

// NOLINTBEGIN(cppcoreguidelines-macro-usage): they need the text and the place of their arguments
#define TEST(name)                                                                                 \
  static void name();                                                                              \
  static const Registered registered_##name(#name, name);                                          \
  static void name()

#define CHECK(condition)                                                                           \
  ((condition) ? void() : fail(__FILE__, __LINE__, "it is not true that " #condition))

/// The expression throws an `Error` whose message contains `text`.
#define CHECK_THROWS(expression, Error, text)                                                      \
  do {                                                                                             \
    std::string said = "nothing";                                                                  \
    try {                                                                                          \
      static_cast<void>(expression);                                                               \
    } catch (const Error &error) {                                                                 \
      said = error.what();                                                                         \
    }                                                                                              \
    if (said.find(text) == std::string::npos) {                                                    \
      fail(__FILE__, __LINE__, #expression " threw " + said);                                      \
    }                                                                                              \
  } while (false)
// NOLINTEND(cppcoreguidelines-macro-usage)
