// Reads a declaration while the compiler runs, such as
//
//     "gemv<T: float32, float64>(a: T(m,n), x: T(n), *, beta: T = 0) -> y: T(m)"
//
// A dtype is a name of NumPy's or of a struct, or a variable of the `<…>`, where
// `I, J: int32, int64` are two of one list. With parentheses it is an array, whose extents are
// names, numbers and expressions of them (`2*n-1`), or `...` for any one shape; without, it is a
// number, or one struct. An expression of one name,
// such as `m+1`, gives it as the name alone does. `T(n)?` may be None. `{'a', 'b'}` is one of these
// texts, and `int64[2]` a tuple. A default that is a dtype, `dtype: D = float16`, lets the argument
// choose what `D` is, as `dtype: dtype(D)` does without a default; one that is a number may be
// calculated, `2*pi/3` or `sqrt(2)**3`. `inout` and `out` before it
// say that an array is written, `strided` and `rows` behind it that it need not be contiguous. What
// follows `*` is given by name only. Results are behind `->`; one without parentheses is a number
// in Python, and a `saved` one is for the derivative alone. Of one with
// `(at most n)` the function says how much there is.
#pragma once

#include "abi.h"
#include "constant.h"
#include "decimal.h"

namespace cuvec::detail {

/// Errors of declarations, and their messages.
#define CUVEC_FAULTS(X)                                                                            \
  X(syntax, "the signature is not of the form name<T: dtypes>(x: T(n), ...) -> y: T(n)")           \
  X(too_long, "a name has more than 63 letters")                                                   \
  X(too_large, "a number is larger than int64 or a double, or has more than 40 digits")            \
  X(undefined,                                                                                     \
    "a default is divided by zero, a root of a negative number, a power whose exponent is no "     \
    "integer, or calculated of `inf` or `nan`")                                                    \
  X(too_many, "too many arguments, dimensions, dtype variables or items of a tuple")               \
  X(twice, "a name or a dtype is twice in it, or an argument is called `out` or `stream`")         \
  X(unknown_dtype, "unknown dtype in the signature")                                               \
  X(structure, "a struct has no default, is no item of a tuple, and as a result has parentheses")  \
  X(unknown_dimension,                                                                             \
    "no array that is always given, and no integer argument, gives this dimension")                \
  X(not_an_integer, "an argument that gives a dimension must be an integer")                       \
  X(unused_variable,                                                                               \
    "no array that is always given has this dtype variable, and no argument chooses it, as in "    \
    "`dtype: T = float32` or `dtype: dtype(T)`, so that nothing decides it; an optional array "    \
    "does if no result has it")                                                                    \
  X(decided, "an argument chooses a dtype that an array, or another argument, decides")            \
  X(no_shape, "a result has `...`, and no array that is always given has")                         \
  X(saved, "a result that is saved is behind those that are not, and has a name and parentheses")  \
  X(layout, "a result is `strided` or `rows`, which arguments may be")                             \
  X(of_results, "`at most` and `real(T)` are of results, which are behind `->`")                   \
  X(late_default, "an argument without a default follows one with a default")                      \
  X(scalar_direction, "a number is `inout` or `out`; give it parentheses")                         \
  X(none_default, "`None` is the default of an optional array, such as `x: T(n)? = None`")         \
  X(no_choice, "the default is none of the choices")                                               \
  X(other_count, "the default of a tuple has another number of items")

enum class Fault {
  none,
#define CUVEC_FAULT(name, text) name,
  CUVEC_FAULTS(CUVEC_FAULT)
#undef CUVEC_FAULT
};

/// A dtype by its name.
struct NamedDtype {
  const char *name;
  std::int16_t code;
};
inline constexpr NamedDtype dtypes[] = {
#define CUVEC_DTYPE(name, NAME, code, bits) {#name, CUVEC_##NAME},
    CUVEC_DTYPES(CUVEC_DTYPE)
#undef CUVEC_DTYPE
};

/// A name that is a struct's if there is such a struct, which only the compiler knows.
struct NamedStruct {
  char name[CUVEC_MAX_NAME] = {};
  int place = 0; // in letters from the start
};

/// How many dimensions an array has behind leading ones.
constexpr int extents_of(const cuvec_argument &a) { return a.rank < 0 ? -1 - a.rank : a.rank; }

/// A declaration, as the members of a row that it makes.
struct Signature {
  char name[CUVEC_MAX_NAME] = {};
  int n_arguments = 0, n_dimensions = 0, n_variables = 0, n_terms = 0, n_choices = 0, n_items = 0;
  cuvec_argument arguments[CUVEC_MAX_ARGUMENTS] = {};
  cuvec_dimension dimensions[CUVEC_MAX_DIMENSIONS] = {};
  cuvec_variable variables[CUVEC_MAX_VARIABLES] = {};
  cuvec_term terms[CUVEC_MAX_TERMS] = {};
  cuvec_choice choices[CUVEC_MAX_CHOICES] = {};
  cuvec_number items[CUVEC_MAX_ITEMS] = {};
  int n_structs = 0;
  NamedStruct structs[CUVEC_MAX_STRUCTS] = {};
  Fault fault = Fault::none;
  int place = 0; // of the fault, in letters from the start

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

/// Reads from left to right; the first fault stays.
class Reader {
public:
  constexpr explicit Reader(const char *text) : start_(text), at_(text), word_(text) {}
  /// A method knows what its `constructor` is given.
  constexpr Reader(const char *text, const Signature &constructor)
      : start_(text), at_(text), word_(text), constructor_(&constructor), is_method_(true) {}

  constexpr Signature read() {
    inherit();
    word(s_.name);
    if (take("<")) {
      variables();
    }
    need("(");
    parameters();
    if (take("->")) {
      results();
    }
    blank();
    if (*at_ != 0) {
      fail(Fault::syntax);
    }
    if (s_.fault == Fault::none) {
      bind();
    }
    return s_;
  }

private:
  static constexpr std::int64_t max_integer = std::numeric_limits<std::int64_t>::max();
  static constexpr auto min_integer = "9223372036854775808"; // behind a minus

  // ---- letters -----------------------------------------------------------------------------
  constexpr void fail_at(const char *place, Fault fault) {
    if (s_.fault == Fault::none) {
      s_.fault = fault;
      s_.place = static_cast<int>(place - start_);
    }
  }
  constexpr void fail(Fault fault) { fail_at(fault == Fault::syntax ? at_ : word_, fault); }
  /// At the last place of a name.
  constexpr void fail_name(const char *name, Fault fault) {
    const char *last = start_;
    for (at_ = start_; *at_ != 0; ++at_) {
      const char *here = at_;
      if ((at_ == start_ || !is_part(at_[-1])) && take_word(name)) {
        last = here;
      }
      at_ = here;
    }
    fail_at(last, fault);
  }
  constexpr void blank() {
    while (*at_ == ' ' || *at_ == '\n') {
      ++at_;
    }
  }
  constexpr bool take(const char *text) {
    blank();
    const char *p = at_;
    for (; *text != 0; ++p, ++text) {
      if (*p != *text) {
        return false;
      }
    }
    at_ = p;
    return true;
  }
  constexpr void need(const char *text) {
    if (!take(text)) {
      fail(Fault::syntax);
    }
  }
  constexpr bool is_digit() const { return *at_ >= '0' && *at_ <= '9'; }
  constexpr bool is_letter() const {
    return (*at_ >= 'a' && *at_ <= 'z') || (*at_ >= 'A' && *at_ <= 'Z') || *at_ == '_';
  }
  static constexpr bool is_part(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }
  constexpr bool take_word(const char *text) {
    const char *start = at_;
    if (take(text) && !is_letter() && !is_digit()) {
      return true;
    }
    at_ = start;
    return false;
  }
  constexpr void word(char (&out)[CUVEC_MAX_NAME]) {
    blank();
    word_ = at_;
    if (!is_letter()) {
      fail(Fault::syntax);
    }
    int n = 0;
    for (; is_letter() || is_digit(); ++at_) {
      if (n == CUVEC_MAX_NAME - 1) {
        fail(Fault::too_long);
        return;
      }
      out[n++] = *at_;
    }
    out[n] = 0;
  }
  constexpr std::int64_t digits() {
    blank();
    word_ = at_;
    if (!is_digit()) {
      fail(Fault::syntax);
    }
    std::int64_t value = 0;
    for (; is_digit(); ++at_) {
      if (value > (max_integer - (*at_ - '0')) / 10) {
        fail(Fault::too_large);
        value = 0;
      }
      value = value * 10 + (*at_ - '0');
    }
    return value;
  }
  constexpr cuvec_number number() {
    cuvec_number value = number_product();
    while (s_.fault == Fault::none) {
      if (take("+")) {
        value = checked(Calculated::sum(value, number_product()));
      } else if (take("-")) {
        value = checked(Calculated::difference(value, number_product()));
      } else {
        break;
      }
    }
    return value;
  }
  constexpr cuvec_number number_product() {
    cuvec_number value = number_factor();
    while (s_.fault == Fault::none) {
      if (take("*")) {
        value = checked(Calculated::product(value, number_factor()));
      } else if (take("/")) {
        value = checked(Calculated::quotient(value, number_factor()));
      } else {
        break;
      }
    }
    return value;
  }
  constexpr cuvec_number checked(const Calculated &found) {
    if (!found.is_defined) {
      fail(Fault::undefined);
    } else if (found.is_too_large) {
      fail(Fault::too_large);
    }
    return found.number;
  }
  constexpr cuvec_number number_factor() {
    blank();
    const char *start = at_;
    const cuvec_number base = number_base();
    if (!take("**")) {
      return base;
    }
    if (*start == '-') { // which the power has, as in Python
      at_ = start + 1;
      return checked(Calculated::negative(number_factor()));
    }
    const cuvec_number exponent = number_factor();
    word_ = start;
    return checked(Calculated::power(base, exponent));
  }
  constexpr cuvec_number number_base() {
    const char *start = at_;
    const bool minus = take("-");
    blank();
    const char *root = at_;
    const bool is_root = take_word("sqrt");
    if (is_root ? (need("("), true) : take("(")) {
      cuvec_number inner = number();
      need(")");
      if (is_root) {
        word_ = root;
        inner = checked(Calculated::root(inner));
      }
      return minus ? checked(Calculated::negative(inner)) : inner;
    }
    at_ = start;
    return literal();
  }
  constexpr cuvec_number literal() {
    if (take_word("True")) {
      return {1, 1, 1.0};
    }
    if (take_word("False")) {
      return {1, 0, 0.0};
    }
    const bool minus = take("-");
    if (take_word("inf")) {
      const double infinity = std::numeric_limits<double>::infinity();
      return {0, 0, minus ? -infinity : infinity};
    }
    if (take_word("nan")) {
      return {0, 0, std::numeric_limits<double>::quiet_NaN()};
    }
    for (const Calculated::Constant &constant : Calculated::constants) {
      if (take_word(constant.name)) {
        return {0, 0, minus ? -constant.value : constant.value};
      }
    }
    blank();
    const char *start = at_;
    Decimal decimal;
    for (; is_digit(); ++at_) {
      decimal.digit(*at_);
    }
    if (start == at_) {
      fail(Fault::syntax);
    }
    const bool is_integer = *at_ != '.' && *at_ != 'e';
    if (is_integer) {
      at_ = start;
      // The lowest one has no positive counterpart.
      const std::int64_t integer = minus && take(min_integer) ? -max_integer - 1
                                   : minus                    ? -digits()
                                                              : digits();
      return {1, integer, static_cast<double>(integer)};
    }
    if (*at_ == '.') {
      for (++at_; is_digit(); ++at_) {
        decimal.digit(*at_);
        decimal.times_ten_to(-1);
      }
    }
    if (*at_ == 'e') {
      ++at_;
      const bool down = take("-");
      const std::int64_t exponent = digits();
      const int bounded = static_cast<int>(exponent < 1000 ? exponent : 1000);
      decimal.times_ten_to(down ? -bounded : bounded);
    }
    const double real = decimal.value();
    if (decimal.is_too_long() || real > std::numeric_limits<double>::max()) {
      fail(Fault::too_large);
    }
    return {0, 0, minus ? -real : real};
  }

  // ---- variables and dtypes ----------------------------------------------------------------
  /// A method's first variables are the constructor's.
  constexpr void inherit() {
    if (is_method_) {
      for (; s_.n_variables < constructor_->n_variables; ++s_.n_variables) {
        s_.variables[s_.n_variables] = constructor_->variables[s_.n_variables];
      }
      inherited_ = s_.n_variables;
    }
  }
  constexpr void variables() {
    const char *shared = nullptr; // the first of those whose list is the next one's
    do {
      char text[CUVEC_MAX_NAME] = {};
      word(text);
      if (take(":")) {
        variable(text);
        word(text);
        shared = nullptr;
      } else if (known(text) < 0 && take(",")) { // `I, J: int32`: the list is the next one's
        variable(text);
        shared = shared == nullptr ? word_ : shared;
        continue;
      } else if (shared != nullptr) { // no variable with a list comes: it was to be a dtype
        fail_at(shared, Fault::unknown_dtype);
      }
      const int code = known(text);
      if (code < 0) {
        fail(Fault::unknown_dtype);
      }
      if (s_.n_variables == inherited_) {
        fail(Fault::syntax);
        return;
      }
      cuvec_variable &v = s_.variables[s_.n_variables - 1];
      for (int i = 0; i < v.count; ++i) {
        if (v.dtypes[i] == code) {
          fail(Fault::twice);
        }
      }
      if (v.count < CUVEC_MAX_DTYPES) {
        v.dtypes[v.count++] = static_cast<std::int16_t>(code);
      }
    } while (s_.fault == Fault::none && (shared != nullptr || take(",")));
    need(">");
    for (int v = s_.n_variables - 2; v >= 0; --v) {
      if (s_.variables[v].count == 0) {
        s_.variables[v].count = s_.variables[v + 1].count;
        for (int i = 0; i < s_.variables[v].count; ++i) {
          s_.variables[v].dtypes[i] = s_.variables[v + 1].dtypes[i];
        }
      }
    }
  }
  constexpr void variable(const char (&name)[CUVEC_MAX_NAME]) {
    if (s_.n_variables == CUVEC_MAX_VARIABLES) {
      fail(Fault::too_many);
      return;
    }
    for (int v = 0; v < inherited_; ++v) {
      if (same(s_.variables[v].name, name)) {
        fail(Fault::twice);
      }
    }
    copy(s_.variables[s_.n_variables++].name, name);
  }
  static constexpr void copy(char (&to)[CUVEC_MAX_NAME], const char (&from)[CUVEC_MAX_NAME]) {
    for (int i = 0; i < CUVEC_MAX_NAME; ++i) {
      to[i] = from[i];
    }
  }
  static constexpr int known(const char *text) {
    for (const NamedDtype &dtype : dtypes) {
      if (same(text, dtype.name)) {
        return dtype.code;
      }
    }
    return -1;
  }
  constexpr std::int16_t dtype(const char (&text)[CUVEC_MAX_NAME]) {
    for (int v = 0; v < s_.n_variables; ++v) {
      if (same(text, s_.variables[v].name)) {
        return static_cast<std::int16_t>(-1 - v);
      }
    }
    const int code = known(text);
    return static_cast<std::int16_t>(code < 0 ? structure(text) : code);
  }
  constexpr int structure(const char (&name)[CUVEC_MAX_NAME]) {
    if (s_.fault != Fault::none) {
      return 0;
    }
    int k = 0;
    while (k < s_.n_structs && !same(s_.structs[k].name, name)) {
      ++k;
    }
    if (k == CUVEC_MAX_STRUCTS) {
      fail(Fault::too_many);
      return 0;
    }
    if (k == s_.n_structs) {
      copy(s_.structs[k].name, name);
      s_.structs[k].place = static_cast<int>(word_ - start_);
      ++s_.n_structs;
    }
    return CUVEC_STRUCT_DTYPE + k;
  }

  /// Reads the rest after `real(` and `dtype(`, as arguments have it.
  constexpr std::int16_t variable_in_parentheses() {
    char text[CUVEC_MAX_NAME] = {};
    word(text);
    const std::int16_t variable = dtype(text);
    if (variable >= 0) {
      fail(Fault::unknown_dtype); // it is known, and so is its real part
    }
    need(")");
    return variable;
  }

  constexpr bool is_variable_in_parentheses() {
    const char *start = at_;
    bool is_one = false;
    if (take("(")) {
      for (int v = 0; v < s_.n_variables && !is_one; ++v) {
        is_one = take_word(s_.variables[v].name);
      }
    }
    at_ = start;
    return is_one;
  }

  // ---- extents -----------------------------------------------------------------------------
  constexpr void term(char operation, std::int64_t value = 0) {
    if (s_.n_terms == CUVEC_MAX_TERMS) {
      fail(Fault::too_many);
      return;
    }
    s_.terms[s_.n_terms++] = {operation, value};
  }
  constexpr void factor() {
    blank();
    if (take("(")) {
      expression();
      need(")");
    } else if (is_digit()) {
      term('#', digits());
    } else {
      char text[CUVEC_MAX_NAME] = {};
      word(text);
      term('d', dimension(text));
    }
  }
  constexpr void product() {
    factor();
    while (s_.fault == Fault::none) {
      if (take("*")) {
        factor();
        term('*');
      } else if (take("/")) {
        factor();
        term('/');
      } else {
        return;
      }
    }
  }
  constexpr void expression() {
    product();
    while (s_.fault == Fault::none) {
      if (take("+")) {
        product();
        term('+');
      } else if (take("-")) {
        product();
        term('-');
      } else {
        return;
      }
    }
  }
  constexpr int dimension(const char (&name)[CUVEC_MAX_NAME]) {
    for (int d = 0; d < s_.n_dimensions; ++d) {
      if (same(s_.dimensions[d].name, name)) {
        return d;
      }
    }
    if (s_.n_dimensions == CUVEC_MAX_DIMENSIONS) {
      fail(Fault::too_many);
      return 0;
    }
    cuvec_dimension &d = s_.dimensions[s_.n_dimensions];
    copy(d.name, name);
    d.scalar = -1;
    return s_.n_dimensions++;
  }
  constexpr cuvec_extent extent() {
    const int first = s_.n_terms;
    expression();
    return {static_cast<std::int16_t>(first), static_cast<std::int16_t>(s_.n_terms - first)};
  }

  // ---- arguments ---------------------------------------------------------------------------
  constexpr cuvec_argument &next() {
    if (s_.n_arguments == CUVEC_MAX_ARGUMENTS) {
      fail(Fault::too_many);
      return s_.arguments[0];
    }
    return s_.arguments[s_.n_arguments++];
  }
  /// A name in quotes of either kind: in C++ double quotes have to be written with a backslash.
  constexpr void quoted(char (&out)[CUVEC_MAX_NAME]) {
    blank();
    const char quote = *at_;
    if (quote != '\'' && quote != '"') {
      fail(Fault::syntax);
      return;
    }
    ++at_;
    word(out);
    if (*at_ != quote) {
      fail(Fault::syntax);
      return;
    }
    ++at_;
  }
  /// The index of a choice in an option, or as many as there are.
  constexpr int index_of(const char *name, const cuvec_argument &a) const {
    int index = 0;
    while (index < a.n_choices && !same(s_.choices[a.first_choice + index].name, name)) {
      ++index;
    }
    return index;
  }
  constexpr void option(cuvec_argument &a) {
    a.role = CUVEC_SCALAR;
    a.dtype = CUVEC_INT32;
    a.first_choice = static_cast<std::int16_t>(s_.n_choices);
    do {
      if (s_.n_choices == CUVEC_MAX_CHOICES) {
        fail(Fault::too_many);
        return;
      }
      char (&name)[CUVEC_MAX_NAME] = s_.choices[s_.n_choices].name;
      quoted(name);
      if (index_of(name, a) < a.n_choices) {
        fail(Fault::twice);
      }
      ++s_.n_choices;
      ++a.n_choices;
    } while (s_.fault == Fault::none && take(","));
    need("}");
  }
  constexpr void tuple(cuvec_argument &a) {
    const std::int64_t count = digits();
    if (count < 1 || count > CUVEC_MAX_ITEMS - s_.n_items) {
      fail(Fault::too_many);
      return;
    }
    a.first_item = static_cast<std::int16_t>(s_.n_items);
    a.n_items = static_cast<std::int16_t>(count);
    s_.n_items += a.n_items;
    need("]");
  }
  constexpr void items(const cuvec_argument &a) {
    need("(");
    int count = 0;
    do {
      blank();
      if (count > 0 && *at_ == ')') {
        break; // as Python writes one item
      }
      if (count == a.n_items) {
        fail_at(at_, Fault::other_count);
        return;
      }
      s_.items[a.first_item + count++] = number();
    } while (s_.fault == Fault::none && take(","));
    if (count < a.n_items) {
      fail_at(at_, Fault::other_count);
    }
    need(")");
  }
  constexpr void type(cuvec_argument &a, bool result) {
    if (!result && take("{")) {
      option(a);
      return;
    }
    const bool inout = !result && take_word("inout"), out = !result && !inout && take_word("out");
    a.is_saved = static_cast<std::int8_t>(result && take_word("saved"));
    char text[CUVEC_MAX_NAME] = {};
    word(text);
    if (!result && same(text, "real") && is_variable_in_parentheses()) {
      fail(Fault::of_results);
    }
    if (!result && same(text, "dtype") && take("(")) {
      choose(a, -1 - variable_in_parentheses());
    } else if (result && same(text, "real") && take("(")) {
      a.dtype = static_cast<std::int16_t>(variable_in_parentheses() - CUVEC_MAX_VARIABLES);
    } else {
      a.dtype = dtype(text);
    }
    a.role = result ? CUVEC_RESULT : inout ? CUVEC_INOUT : out ? CUVEC_OUT : CUVEC_IN;
    const bool is_struct = a.dtype >= CUVEC_STRUCT_DTYPE;
    if (!result && a.chooses == 0 && take("[")) {
      tuple(a);
    }
    if (a.n_items != 0 || a.chooses != 0 || !take("(")) {
      if (is_struct && (result || a.n_items != 0)) {
        fail(Fault::structure);
      }
      a.is_number = static_cast<std::int8_t>(result);
      a.role = result ? CUVEC_RESULT : CUVEC_SCALAR;
      if (inout || out) {
        fail(Fault::scalar_direction);
      }
      return;
    }
    blank();
    const char *start = at_;
    a.at_most = static_cast<std::int8_t>(at_most());
    if (!result && a.at_most != 0) {
      fail_at(start, Fault::of_results);
    }
    const bool leading = a.at_most == 0 && take("...");
    if (leading ? take(",") : (blank(), *at_ != ')')) {
      do {
        if (a.rank + int(leading) == CUVEC_MAX_RANK) {
          fail(Fault::too_many);
          return;
        }
        a.shape[a.rank++] = extent();
      } while (s_.fault == Fault::none && take(","));
    }
    if (leading) {
      a.rank = static_cast<std::int8_t>(-1 - a.rank);
    }
    need(")");
    a.layout = take_word("strided") ? CUVEC_STRIDED
               : take_word("rows")  ? CUVEC_ROWS
                                    : CUVEC_CONTIGUOUS;
    if (result && a.layout != CUVEC_CONTIGUOUS) {
      fail(Fault::layout);
    }
    if (!result && take("?")) {
      a.is_optional = 1;
    }
  }
  /// Behind the `=`.
  constexpr void default_value(cuvec_argument &a) {
    a.has_default = 1;
    if (take_word("None")) {
      if (a.is_optional == 0) {
        fail(Fault::none_default);
      }
    } else if (a.n_choices != 0) {
      char name[CUVEC_MAX_NAME] = {};
      quoted(name);
      a.value = {1, index_of(name, a), 0};
      if (s_.fault == Fault::none && a.value.integer == a.n_choices) {
        fail(Fault::no_choice);
      }
    } else if (a.n_items != 0) {
      items(a);
    } else if (a.role != CUVEC_SCALAR || a.chooses != 0) { // which is `D = float16` with a default
      fail(Fault::syntax);
    } else if (a.dtype >= CUVEC_STRUCT_DTYPE) {
      fail(Fault::structure);
    } else if (a.dtype >= 0 || !dtype_default(a)) {
      a.value = number();
    }
  }
  /// A dtype of the argument's variable, which the argument chooses then.
  constexpr bool dtype_default(cuvec_argument &a) {
    const char *start = at_;
    blank();
    char text[CUVEC_MAX_NAME] = {};
    if (is_letter()) {
      word(text);
    }
    const int code = known(text), v = -1 - a.dtype;
    if (code < 0) {
      at_ = start;
      return false;
    }
    const cuvec_variable &variable = s_.variables[v];
    int index = 0;
    while (index < variable.count && variable.dtypes[index] != code) {
      ++index;
    }
    if (index == variable.count) {
      fail(Fault::no_choice);
    }
    choose(a, v);
    a.value = {1, index, 0};
    return true;
  }
  static constexpr void choose(cuvec_argument &a, int variable) {
    a.dtype = CUVEC_INT32;
    a.chooses = static_cast<std::int8_t>(1 + variable);
  }
  constexpr bool at_most() {
    const char *start = at_;
    if (take_word("at") && take_word("most")) {
      return true;
    }
    at_ = start;
    return false;
  }
  constexpr void parameters() {
    bool keyword_only = false, defaults = false;
    if (take(")")) {
      return;
    }
    do {
      if (take("*")) {
        keyword_only = true;
        continue;
      }
      cuvec_argument &a = next();
      a.keyword_only = static_cast<std::int8_t>(keyword_only);
      word(a.name);
      need(":");
      type(a, false);
      if (take("=")) {
        default_value(a);
        defaults = true;
      } else if (defaults && !keyword_only) {
        fail(Fault::late_default);
      }
    } while (s_.fault == Fault::none && take(","));
    need(")");
  }
  constexpr void results() {
    const int first = s_.n_arguments;
    do {
      cuvec_argument &a = next();
      const char *start = at_;
      word(a.name);
      if (!take(":")) { // it needs no name
        at_ = start;
        for (char &letter : a.name) {
          letter = 0;
        }
      }
      type(a, true);
      const cuvec_argument *before = s_.n_arguments > first + 1 ? &a - 1 : nullptr;
      if (a.is_saved != 0 ? before == nullptr || a.name[0] == 0 || a.is_number != 0
                          : before != nullptr && before->is_saved != 0) {
        fail(Fault::saved);
      }
    } while (s_.fault == Fault::none && take(","));
  }

  // ---- what belongs together ---------------------------------------------------------------
  /// True if it is an array that every call has.
  constexpr bool given(const cuvec_argument &a) const {
    return a.role != CUVEC_SCALAR && a.role != CUVEC_RESULT && a.is_optional == 0;
  }
  /// True if the size of an axis determines a dimension: it has no other name, and no quotient.
  constexpr bool gives(const cuvec_extent &e, int d) const {
    int found = 0;
    for (int k = e.first; k < e.first + e.count; ++k) {
      const cuvec_term term = s_.terms[k];
      if (term.operation == '/' || (term.operation == 'd' && term.value != d)) {
        return false;
      }
      found += int(term.operation == 'd');
    }
    return found == 1;
  }
  constexpr void bind() {
    bool leading = false;
    for (int i = 0; i < s_.n_arguments; ++i) {
      const cuvec_argument &a = s_.arguments[i];
      leading = leading || (given(a) && a.rank < 0);
      for (int k = 0; k < i; ++k) {
        if (a.name[0] != 0 && same(a.name, s_.arguments[k].name)) {
          fail_name(a.name, Fault::twice);
        }
      }
      if (same(a.name, "out") || same(a.name, "stream")) {
        fail_name(a.name, Fault::twice); // every function may have these two
      }
    }
    for (int d = 0; d < s_.n_dimensions; ++d) {
      bind_dimension(d);
    }
    for (int i = 0; i < s_.n_arguments; ++i) {
      if (s_.arguments[i].role == CUVEC_RESULT && s_.arguments[i].rank < 0 && !leading) {
        fail(Fault::no_shape);
      }
    }
    for (int v = 0; v < s_.n_variables; ++v) {
      bool used = false, is_optional = false, is_result = false;
      const cuvec_argument *chooser = nullptr;
      for (int i = 0; i < s_.n_arguments; ++i) {
        const cuvec_argument &a = s_.arguments[i];
        const bool chooses = a.chooses == 1 + v;
        if (chooses && chooser != nullptr) {
          fail_name(a.name, Fault::decided);
        }
        chooser = chooses ? &a : chooser;
        used = used || (given(a) && a.dtype == -1 - v);
        is_optional = is_optional || (a.is_optional != 0 && a.dtype == -1 - v);
        is_result = is_result || (a.role == CUVEC_RESULT &&
                                  (a.dtype == -1 - v || a.dtype == -1 - CUVEC_MAX_VARIABLES - v));
      }
      used = used || v < inherited_; // the object decides it
      if (used && chooser != nullptr) {
        fail_name(chooser->name, Fault::decided);
      } else if (!used && chooser == nullptr && (!is_optional || is_result)) {
        fail_name(s_.variables[v].name, Fault::unused_variable);
      }
    }
  }
  /// True if it is a dimension of the constructor, or an integer.
  constexpr bool constructor_gives(const char *name) const {
    if (!is_method_) {
      return false;
    }
    for (const cuvec_dimension &d : constructor_->dimensions) {
      if (same(d.name, name)) {
        return true;
      }
    }
    for (const cuvec_argument &a : constructor_->arguments) {
      const bool is_single = a.role == CUVEC_SCALAR && a.n_choices == 0 && a.n_items == 0;
      if (is_single && a.dtype >= CUVEC_INT8 && a.dtype <= CUVEC_UINT64 && same(a.name, name)) {
        return true;
      }
    }
    return false;
  }
  constexpr void bind_dimension(int d) {
    bool known = constructor_gives(s_.dimensions[d].name);
    for (int i = 0; i < s_.n_arguments; ++i) {
      const cuvec_argument &a = s_.arguments[i];
      if (a.role == CUVEC_SCALAR && same(a.name, s_.dimensions[d].name)) {
        if (a.n_choices != 0 || a.n_items != 0 || a.chooses != 0 || a.dtype < CUVEC_INT8 ||
            a.dtype > CUVEC_UINT64) { // type codes 0 and 1
          fail_name(a.name, Fault::not_an_integer);
        }
        s_.dimensions[d].scalar = static_cast<std::int8_t>(i);
        known = true;
      }
      for (int k = 0; given(a) && k < extents_of(a); ++k) {
        known = known || gives(a.shape[k], d);
      }
    }
    if (!known) {
      fail_name(s_.dimensions[d].name, Fault::unknown_dimension);
    }
  }

  const char *start_, *at_;
  const char *word_; // the last one, or the last number
  const Signature *constructor_ = nullptr;
  bool is_method_ = false; // where GCC sanitizes, no comparison with a null pointer is constant
  int inherited_ = 0;      // variables, of the constructor
  Signature s_{};
};

constexpr Signature read_signature(const char *text) { return Reader(text).read(); }
constexpr Signature read_signature(const char *text, const Signature &constructor) {
  return Reader(text, constructor).read();
}

/// The signature with a fault where it names a struct that there is not, unless one is before.
template <class IsKnown> constexpr Signature checked_structs(Signature s, const IsKnown &is_known) {
  for (int k = s.n_structs - 1; k >= 0; --k) {
    if (!is_known(k) && (s.fault == Fault::none || s.structs[k].place <= s.place)) {
      s.fault = Fault::unknown_dtype;
      s.place = s.structs[k].place;
    }
  }
  return s;
}

} // namespace cuvec::detail
