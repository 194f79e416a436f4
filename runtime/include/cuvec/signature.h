// A declaration, such as
//
//     "gemv<T: float32, float64>(a: T(m,n), x: T(n), *, beta: T = 0) -> y: T(m)"
//
// as the build has read it: `cuvec-compile` writes a header with the constants.
#pragma once

#include <limits>

#include "abi.h"

namespace cuvec::detail {

/// How many dimensions an array has behind leading ones.
constexpr int extents_of(const cuvec_argument &a) { return a.rank < 0 ? -1 - a.rank : a.rank; }

/// A declaration, as the members of a row that it makes.
struct Signature {
  const char *text;
  char name[CUVEC_MAX_NAME];
  int n_arguments, n_dimensions, n_variables, n_structs;
  cuvec_argument arguments[CUVEC_MAX_ARGUMENTS];
  cuvec_dimension dimensions[CUVEC_MAX_DIMENSIONS];
  cuvec_variable variables[CUVEC_MAX_VARIABLES];
  cuvec_choice structs[CUVEC_MAX_STRUCTS]; // their names
  cuvec_term terms[CUVEC_MAX_TERMS];
  cuvec_choice choices[CUVEC_MAX_CHOICES];
  cuvec_number items[CUVEC_MAX_ITEMS];

  constexpr int n_variants() const {
    int n = 1;
    for (int v = 0; v < n_variables; ++v) {
      n *= variables[v].count;
    }
    return n;
  }

  /// The dtype of an argument in a variant.
  constexpr int dtype_of(const cuvec_argument &a, int variant) const {
    if (a.dtype >= 0) {
      return a.dtype;
    }
    const int variable = -1 - a.dtype;
    return variable < CUVEC_MAX_VARIABLES
               ? dtype_in(variant, variable)
               : real_part(dtype_in(variant, variable - CUVEC_MAX_VARIABLES));
  }

  static constexpr int real_part(int code) {
    return code == CUVEC_COMPLEX64    ? CUVEC_FLOAT32
           : code == CUVEC_COMPLEX128 ? CUVEC_FLOAT64
                                      : code;
  }

  /// The dtype of a variable in a variant.
  constexpr int dtype_in(int variant, int variable) const {
    for (int v = n_variables - 1; v > variable; --v) {
      variant /= variables[v].count;
    }
    return variables[variable].dtypes[variant % variables[variable].count];
  }
};

constexpr bool same(const char *a, const char *b) {
  while (*a != 0 && *a == *b) {
    ++a;
    ++b;
  }
  return *a == *b;
}

} // namespace cuvec::detail

#ifdef CUVEC_SIGNATURES
#include CUVEC_SIGNATURES // of the file that is compiled
#endif

namespace cuvec::detail {

#ifdef CUVEC_SIGNATURES
constexpr bool is_built = true;
#else // an editor, which checks no bodies
constexpr bool is_built = false;
constexpr Signature signatures[] = {{"", ""}};
#endif

/// The place of what the build has read of a text; -1 for one that is no string in the file.
constexpr int place_of(const char *text) {
  int place = 0;
  for (const Signature &it : signatures) {
    if (same(it.text, text)) {
      return place;
    }
    ++place;
  }
  return -1;
}

} // namespace cuvec::detail
