// Options of a declaration, such as `mode: {'relu', 'silu'}`: a body gets an enumerator.
#pragma once

#include <cstdint>
#include <type_traits>

namespace cuvec::detail {

/// An option of a call. It converts to the enum that a body has for it, whose enumerators are the
/// choices, in their order.
struct Option {
  std::int32_t index;

  template <class E, class = std::enable_if_t<std::is_enum_v<E>>>
  __host__ __device__ operator E() const {
    return static_cast<E>(index);
  }
};

/// Returns a compiler's name of this function: `… = Mode::relu]`, or `…<Mode::relu>(void)`.
template <auto Enumerator> constexpr const char *name_with_enumerator() {
#ifdef _MSC_VER
  return __FUNCSIG__;
#else
  return __PRETTY_FUNCTION__;
#endif
}

/// Checks whether the enumerator is called like a choice, perhaps followed by a `_`: `double_`.
/// nvcc writes some as numbers, `(Mode)0`, and then nobody but a C++ compiler can tell.
template <auto Enumerator> constexpr bool is_choice(const char *choice) {
  const char *name = name_with_enumerator<Enumerator>(), *end = name;
  for (const char *p = name; *p != 0; ++p) {
    if (*p == ']' || *p == '>') {
      end = p;
    }
  }
#ifdef __CUDACC__
  const char *digits = end;
  while (digits != name && digits[-1] >= '0' && digits[-1] <= '9') {
    --digits;
  }
  if (digits != end && digits != name && digits[-1] == ')') {
    return true;
  }
#endif
  int length = 0;
  while (choice[length] != 0) {
    ++length;
  }
  const auto ends_with_choice = [&](const char *at) {
    for (int i = length - 1; i >= 0; --i) {
      if (at == name || *--at != choice[i]) {
        return false;
      }
    }
    return at != name && (at[-1] == ':' || at[-1] == ' ' || at[-1] == '<');
  };
  return ends_with_choice(end) || (end != name && end[-1] == '_' && ends_with_choice(end - 1));
}

} // namespace cuvec::detail
