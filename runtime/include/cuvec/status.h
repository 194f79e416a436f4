// Status codes of CUDA and of its libraries: enumerators, which messages name.
#pragma once

#include <cctype>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

#ifdef __CUDACC__
#include <cuda_runtime_api.h>
#endif

namespace cuvec::detail {

#ifdef _MSC_VER
#define CUVEC_SIGNATURE __FUNCSIG__
#else
#define CUVEC_SIGNATURE __PRETTY_FUNCTION__
#endif

/// As a compiler shows this function: with the name of the enumerator, if Value is one.
template <auto Value> const char *shown() { return CUVEC_SIGNATURE; }

/// Empty if `Value` is not a value of the enum.
template <class Enum, int Value, class = std::integral_constant<Enum, static_cast<Enum>(Value)>>
const char *shown_as(int /*first*/) {
  return shown<static_cast<Enum>(Value)>();
}
template <class Enum, int Value> const char *shown_as(...) { return ""; }

/// The enumerator's name, or the number.
template <class Enum, int... Value>
std::string status_name(int status, std::integer_sequence<int, Value...> /*all*/) {
  using Show = const char *(*)(int);
  static constexpr Show show[] = {&shown_as<Enum, Value>...};
  const char *text = status >= 0 && status < int(sizeof...(Value)) ? show[status](0) : "";
  for (const char *mark : {"Value = ", "shown<"}) { // GCC and clang, MSVC
    if (const char *at = std::strstr(text, mark)) {
      at += std::strlen(mark);
      if (*at == '_' || std::isalpha(*at) != 0) {
        const std::string name(at, std::strcspn(at, "]>;"));
        return name.substr(name.rfind(':') + 1);
      }
    }
  }
  return "error " + std::to_string(status);
}
template <class Enum> std::string status_name(int status) {
  return status_name<Enum>(status, std::make_integer_sequence<int, 256>{});
}

/// Status that is zero for success: of CUDA, cuFFT, cuBLAS and others. A launch makes one.
class Status {
public:
#ifdef __CUDACC__
  Status(cudaError_t error) : value_(error), text_(&text_of) {}
#endif
  template <class Enum, class = std::enable_if_t<std::is_enum_v<Enum>>>
  Status(Enum status) : value_(static_cast<int>(status)), text_(&status_name<Enum>) {}

  bool failed() const { return value_ != 0; }
  std::string text() const { return text_(value_); }

private:
#ifdef __CUDACC__
  static std::string text_of(int value) {
    cudaGetLastError(); // or the next one to ask would take it for its own
    const auto error = static_cast<cudaError_t>(value);
    return std::string(cudaGetErrorName(error)) + ": " + cudaGetErrorString(error);
  }
#endif

  int value_;
  std::string (*text_)(int);
};

} // namespace cuvec::detail
