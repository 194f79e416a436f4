// A declaration, such as
//
//     "gemv<T: float32, float64>(a: T(m,n), x: T(n), *, beta: T = 0) -> y: T(m)"
//
// as the build has read it, as far as bodies depend on it: `cuvec-compile` writes a header with the
// constants. The core reads the text itself.
#pragma once

#include "abi.h"

namespace cuvec::detail {

/// How the elements of an array lie in memory.
enum class Order { contiguous, rows, strided };

/// The dtype of structs: this plus their index in the structs of the function.
constexpr int first_struct = 0x7f00;

struct Signature {
  struct Argument {
    /// Or -1 - v, the dtype that variable v has in a call, or of a result also
    /// -1 - CUVEC_MAX_VARIABLES - v: the dtype of the real part of such a number.
    int dtype = 0;
    cuvec_role role = CUVEC_SCALAR;
    /// True if any dimensions come before the others, which a body gets as one.
    bool is_leading = false;
    int n_extents = 0;
    short extents[CUVEC_MAX_RANK] = {}; // numbers: the same for the same extent
    bool at_most = false; // a result of which the body says how much there is of its first axis
    Order order = Order::contiguous;
    bool is_number = false, is_optional = false;
    bool is_dtype = false; // for which a body is compiled, which does not get it
    int first_choice = 0, n_choices = 0, n_items = 0;

    /// Dimensions as a body has them.
    constexpr int rank() const { return n_extents + int(is_leading); }
  };
  struct Variable {
    int count;
    int dtypes[24];
  };

  const char *text, *name;
  int n_arguments, n_variables, n_structs;
  Argument arguments[CUVEC_MAX_ARGUMENTS];
  Variable variables[CUVEC_MAX_VARIABLES];
  const char *structs[8]; // their names
  const char *choices[32];

  constexpr int n_variants() const {
    int n = 1;
    for (int v = 0; v < n_variables; ++v) {
      n *= variables[v].count;
    }
    return n;
  }

  /// The dtype of an argument in a variant.
  constexpr int dtype_of(const Argument &a, int variant) const {
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
