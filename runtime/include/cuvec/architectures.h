// Which GPUs run what a source is compiled for, as the build tells it: `90a, 103f, 120+`. The same
// as spec/src/spec.rs has it.
#pragma once

namespace cuvec::detail {

/// Checks whether a GPU of this compute capability is one: `90a` is that one only, `100f` and `100`
/// later ones of the same major version as well, and `100+`, which is PTX too, all later ones.
constexpr bool runs(const char *architectures, int major, int minor) {
  const int gpu = 10 * major + minor;
  for (const char *c = architectures; *c != 0; ++c) {
    int oldest = 0;
    for (; *c >= '0' && *c <= '9'; ++c) {
      oldest = 10 * oldest + (*c - '0');
    }
    const bool is_same = oldest != 0 && (*c == '+' || oldest / 10 == major);
    if (is_same && (*c == 'a' ? gpu == oldest : gpu >= oldest)) {
      return true;
    }
    for (; *c != 0 && *c != ' '; ++c) {
    }
    if (*c == 0) {
      return false;
    }
  }
  return false;
}

} // namespace cuvec::detail
