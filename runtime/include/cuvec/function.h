// From an owner's struct to a row of the table: its bodies are checked against its signature, and
// their types are erased.
#pragma once

#include <cstring>

#include "at_most.h"
#include "each.h"
#include "option.h"
#include "row_kernels.h"
#include "signature.h"
#include "struct.h"
#include "types.h"

namespace cuvec {

namespace detail {
struct GpuOnly {};
} // namespace detail

/// `static constexpr auto cpu = cuvec::gpu_only;` for a function without code for the CPU.
inline constexpr detail::GpuOnly gpu_only{};

} // namespace cuvec

namespace cuvec::detail {

/// As std::conditional_t, which nvcc's messages write out.
template <bool> struct Pick {
  template <class T, class> using type = T;
};
template <> struct Pick<false> {
  template <class, class T> using type = T;
};
template <bool B, class T, class U> using pick = typename Pick<B>::template type<T, U>;

inline constexpr auto needs_gpu = "it has no code for the CPU, and needs a GPU";

template <class F> auto gpu_only_of(int) -> std::is_same<decltype(F::cpu), const GpuOnly>;
template <class F> std::false_type gpu_only_of(...);
template <class F> constexpr bool is_gpu_only = decltype(gpu_only_of<F>(0))::value;

/// Where to look for `cpu`: GCC does not take a member of another kind for one that is missing.
template <class F> using Host = pick<is_gpu_only<F>, GpuOnly, F>;

/// The signature of F, as the build has read it.
template <class F> struct Declared {
  static constexpr int place = place_of(F::signature);
  static constexpr bool is_read = place >= 0;
  static_assert(
      is_read || !is_built,
      "cuvec: the signature of function F is no string in its file, where the build reads it");
  static constexpr Signature signature = signatures[is_read ? place : 0];
};

/// The type of a dtype in the signature of F.
template <class F, int Code, bool = (Code >= first_struct)> struct TypeOf : element<Code> {};
template <class F, int Code>
struct TypeOf<F, Code, true>
    : StructNamed<name_hash(Declared<F>::signature.structs[Code - first_struct])> {};

/// The rows of the structs in it, and a null.
template <class F, class = std::make_integer_sequence<int, Declared<F>::signature.n_structs>>
struct StructRows;
template <class F, int... K> struct StructRows<F, std::integer_sequence<int, K...>> {
  static constexpr const cuvec_struct *rows[] = {&TypeOf<F, first_struct + K>::row..., nullptr};
};

/// Checks whether arrays have the same extents in the first `count` dimensions.
constexpr bool have_same_extents(const Signature::Argument &a, const Signature::Argument &b,
                                 int count) {
  for (int axis = 0; axis < count; ++axis) {
    if (a.extents[axis] != b.extents[axis]) {
      return false;
    }
  }
  return true;
}

/// The array whose rows a body of rows is about: one of the most dimensions, the last that is
/// written, or the first; -1 if none has rows.
constexpr int array_of_rows(const Signature &s) {
  int found = -1;
  for (int i = 0; i < s.n_arguments; ++i) {
    const Signature::Argument &a = s.arguments[i];
    if (a.role == CUVEC_SCALAR || a.is_optional || a.n_extents == 0) {
      continue;
    }
    const int more = found < 0 ? 1 : a.rank() - s.arguments[found].rank();
    if (more > 0 || (more == 0 && a.role != CUVEC_IN)) {
      found = i;
    }
  }
  return found;
}

/// The part of an argument that a body of rows gets.
enum class PartOfRow { whole, item, sum, row, shared, other_row };

constexpr PartOfRow part_of_row(const Signature &s, const Signature::Argument &a) {
  const int rows = array_of_rows(s);
  const bool is_plain = a.order == Order::contiguous;
  if (a.role == CUVEC_SCALAR || rows < 0 || a.at_most ||
      !(is_plain || (a.order == Order::rows && a.rank() == 2))) {
    return PartOfRow::whole;
  }
  const Signature::Argument &r = s.arguments[rows];
  const int leading = r.n_extents - 1, own = a.n_extents;
  const auto is_row = [&](int axis) { return a.extents[axis] == r.extents[leading]; };
  if (a.is_leading == r.is_leading && own >= leading && have_same_extents(a, r, leading)) {
    if (own == leading) {
      return is_plain && a.rank() > 0 ? PartOfRow::item : PartOfRow::whole;
    }
    if (own == leading + 1) {
      return is_row(leading) ? PartOfRow::row : PartOfRow::other_row;
    }
  }
  if (a.is_leading || a.n_extents != 1 || !is_row(0) || a.role == CUVEC_INOUT) {
    return PartOfRow::whole;
  }
  if (a.role == CUVEC_IN) {
    return PartOfRow::shared;
  }
  return a.is_optional ? PartOfRow::whole : PartOfRow::sum;
}

/// Name of the function in messages.
template <class F> constexpr const char *name_of = Declared<F>::signature.name;

/// Argument I of F in variant V: the dtypes of its variables are chosen.
template <class F, int V, int I> struct Argument {
  static constexpr Signature::Argument a = Declared<F>::signature.arguments[I];
  static constexpr int code = Declared<F>::signature.dtype_of(a, V);
  static constexpr bool is_option = a.n_choices != 0;
  using element = typename TypeOf<F, code>::type;
  using value =
      pick<is_option, Option,
           pick<a.n_items != 0, Tuple<element, a.n_items + 1 - int(a.n_items != 0)>, element>>;

  static constexpr bool is_scalar = a.role == CUVEC_SCALAR;
  static constexpr bool is_written = !is_scalar && a.role != CUVEC_IN;
  static constexpr bool is_optional = a.is_optional;
  static constexpr int rank = a.rank();
  using layout =
      pick<a.order == Order::contiguous, Contiguous, pick<a.order == Order::rows, Rows, Strided>>;
  using view = pick<a.at_most, AtMost<value, rank>,
                    View<pick<is_written, value, const value>, rank, layout>>;

  /// The type of the parameter in `gpu` and `cpu`, in `each`, and in `row`.
  using whole = pick<is_scalar, value, view>;
  using each =
      pick<is_optional, pick<is_written, value *, const value *>, pick<is_written, value &, value>>;
  static constexpr PartOfRow part = part_of_row(Declared<F>::signature, a);
  using row = pick<part == PartOfRow::whole, whole,
                   pick<part == PartOfRow::item, each,
                        pick<part == PartOfRow::sum, RowSum<element>,
                             pick<is_written, RowOut<element>, RowIn<element>>>>>;

  static whole from(const cuvec_value &given) {
    if constexpr (is_scalar) {
      return *static_cast<const value *>(given.data);
    } else {
      view made{};
      made.data = static_cast<value *>(given.data);
      if constexpr (is_optional) {
        if (given.data == nullptr) {
          return made;
        }
      }
      if constexpr (a.at_most) {
        made.count = given.count;
      }
      if constexpr (a.is_leading && a.n_extents == 0) {
        made.shape[0] = given.size;
      } else {
        for (int axis = 0; axis < rank; ++axis) {
          made.shape[axis] = given.shape[axis];
        }
      }
      if constexpr (a.order != Order::contiguous) {
        for (int axis = 0; axis < rank; ++axis) {
          made.strides[axis] = given.strides[axis];
        }
      }
      return made;
    }
  }

  static auto of_row(const cuvec_value &given) {
    constexpr bool reads = a.role == CUVEC_IN || a.role == CUVEC_INOUT;
    auto *const data = static_cast<element *>(given.data);
    if constexpr (part == PartOfRow::whole) {
      return WholeOfRow<whole>{from(given)};
    } else if constexpr (part == PartOfRow::item) {
      return ItemOfRow<element, reads, is_written, is_optional>{data};
    } else if constexpr (part == PartOfRow::sum) {
      return SumOfRows<element>{data, given.shape[0], nullptr};
    } else {
      constexpr bool is_whole = part != PartOfRow::other_row, is_shared = part == PartOfRow::shared;
      const int64 size = data == nullptr                    ? 0
                         : a.is_leading && a.n_extents == 0 ? given.size
                                                            : given.shape[rank - 1];
      const int64 step = data != nullptr && a.order == Order::rows ? given.strides[0] : size;
      using Rows = ArrayOfRow<element, reads, is_written, is_optional, is_whole, is_shared>;
      return Rows{data, size, step};
    }
  }

  static auto elements(const cuvec_value &given) {
    if constexpr (is_scalar) {
      return Number<value>{*static_cast<const value *>(given.data)};
    } else {
      constexpr bool reads = a.role == CUVEC_IN || a.role == CUVEC_INOUT;
      using Elements = pick<is_optional, OptionalElements<value, reads, is_written>,
                            Elements<value, reads, is_written>>;
      return Elements{static_cast<value *>(given.data)};
    }
  }
};

/// The arguments that a body has parameters for: for a dtype that is chosen it is compiled.
template <class F> struct Passed {
  static constexpr bool is_passed(int i) { return !Declared<F>::signature.arguments[i].is_dtype; }
  static constexpr int count() {
    int found = 0;
    for (int i = 0; i < Declared<F>::signature.n_arguments; ++i) {
      found += int(is_passed(i));
    }
    return found;
  }
  static constexpr int at(int parameter) {
    int i = 0;
    for (; parameter > 0 || !is_passed(i); ++i) {
      parameter -= int(is_passed(i));
    }
    return i;
  }
  template <int... P>
  static std::integer_sequence<int, at(P)...> all(std::integer_sequence<int, P...> /*parameters*/);
  using type = decltype(all(std::make_integer_sequence<int, count()>{}));
};

// ---- does a body have the parameters of the signature? -----------------------------------------

template <int Number> struct Parameter {}; // as declared, from 1 on
template <class T> struct Has {};
template <class T> struct MustHave {};
/// Has no definition, so that a compiler says in one line what it is made of.
template <class Function, class Parameter, class Has, class MustHave> struct WrongType;

template <class F, int I, class Written, class Expected> struct Agrees {
  static constexpr bool value = false;
  static_assert(sizeof(WrongType<F, Parameter<I + 1>, Has<Written>, MustHave<Expected>>) > 0);
};
template <class F, int I, class T> struct Agrees<F, I, T, T> {
  static constexpr bool value = true;
};

template <class F, int I, class E, int... C>
constexpr bool are_choices(std::integer_sequence<int, C...> /*all*/) {
  constexpr const Signature &s = Declared<F>::signature;
  return (is_choice<static_cast<E>(C)>(s.choices[s.arguments[I].first_choice + C]) && ...);
}
template <class F, int I, class E> struct Agrees<F, I, E, Option> {
  static constexpr bool is_enum = std::is_enum_v<E>;
  static_assert(is_enum, "cuvec: a body of function F has no enum where its signature has choices");
  static constexpr bool has_choices() {
    if constexpr (is_enum) {
      constexpr int count = Declared<F>::signature.arguments[I].n_choices;
      return are_choices<F, I, E>(std::make_integer_sequence<int, count>{});
    } else {
      return true;
    }
  }
  static_assert(has_choices(), "cuvec: the enumerators of an enum of function F are not the "
                               "choices of its signature, in their order");
  static constexpr bool value = is_enum && has_choices();
};

/// The forms of a body: of whole arrays, of an element, of a row.
enum class Form { whole, each, row };

template <class F, int V, Form form, class... P> struct Parameters {
  static constexpr bool count = sizeof...(P) == Passed<F>::count();
  static_assert(count,
                "cuvec: a body of function F has another number of parameters than its signature");

  template <int I>
  using expected = pick<
      form == Form::whole, typename Argument<F, V, I>::whole,
      pick<form == Form::each, typename Argument<F, V, I>::each, typename Argument<F, V, I>::row>>;
  template <class W, class E> using written = pick<std::is_same_v<W, const E &>, E, W>;

  template <int... I> static constexpr bool all(std::integer_sequence<int, I...> /*indices*/) {
    if constexpr (count) {
      return (Agrees<F, I, written<P, expected<I>>, expected<I>>::value && ...);
    } else {
      return false;
    }
  }
  static constexpr bool agree = all(typename Passed<F>::type{});
};

/// Kinds of `each`: without the call, with the call first, or wrong.
enum class Takes { nothing, call, wrong };

template <class F, int V, class... P> constexpr Takes agree_each(void (* /*body*/)(P...)) {
  return Parameters<F, V, Form::each, P...>::agree ? Takes::nothing : Takes::wrong;
}
template <class F, int V, class... P>
constexpr Takes agree_each(void (* /*body*/)(KernelCall, P...)) {
  return Parameters<F, V, Form::each, P...>::agree ? Takes::call : Takes::wrong;
}

template <class F, int V, class... P> constexpr bool agree_row(void (* /*body*/)(Row &, P...)) {
  return Parameters<F, V, Form::row, P...>::agree;
}

template <class F, int V, int... I, class... P>
void run_whole(void (*body)(P...), Call & /*call*/, const cuvec_value *v,
               std::integer_sequence<int, I...> /*all*/) {
  if constexpr (Parameters<F, V, Form::whole, P...>::agree) {
    body(Argument<F, V, I>::from(v[I])...);
  }
}
template <class F, int V, int... I, class... P>
void run_whole(void (*body)(Call &, P...), Call &call, const cuvec_value *v,
               std::integer_sequence<int, I...> /*all*/) {
  if constexpr (Parameters<F, V, Form::whole, P...>::agree) {
    body(call, Argument<F, V, I>::from(v[I])...);
  }
}

/// True if S is the class that the bodies of a method get first: its object, which the call has.
template <class F, int V, class S> constexpr bool is_object = false;
template <class S> S &object_of(Call &call);

template <class F, int V, int... I, class S, class... P>
std::enable_if_t<is_object<F, V, S>> run_whole(void (*body)(S &, P...), Call &call,
                                               const cuvec_value *v,
                                               std::integer_sequence<int, I...> /*all*/) {
  if constexpr (Parameters<F, V, Form::whole, P...>::agree) {
    body(object_of<S>(call), Argument<F, V, I>::from(v[I])...);
  }
}
template <class F, int V, int... I, class S, class... P>
std::enable_if_t<is_object<F, V, S>> run_whole(void (*body)(S &, Call &, P...), Call &call,
                                               const cuvec_value *v,
                                               std::integer_sequence<int, I...> /*all*/) {
  if constexpr (Parameters<F, V, Form::whole, P...>::agree) {
    body(object_of<S>(call), call, Argument<F, V, I>::from(v[I])...);
  }
}
template <class F, int V, int... I, class S, class... P>
std::enable_if_t<is_object<F, V, S>> run_whole(void (*body)(Call &, S &, P...), Call &call,
                                               const cuvec_value *v,
                                               std::integer_sequence<int, I...> /*all*/) {
  if constexpr (Parameters<F, V, Form::whole, P...>::agree) {
    body(call, object_of<S>(call), Argument<F, V, I>::from(v[I])...);
  }
}

// ---- the bodies that F has, for the types T of its variables ------------------------------------

template <class F, class... T> struct Bodies {
  template <class G> static auto each_of(int) -> decltype(&G::template each<T...>);
  template <class G> static void each_of(...);
  template <class G> static auto passes_of(int) -> decltype(&G::template passes<T...>);
  template <class G> static void passes_of(...);
  template <class G> static auto row_of(int) -> decltype(&G::template row<T...>);
  template <class G> static void row_of(...);
  template <class G> static auto gpu_of(int) -> decltype(&G::template gpu<T...>);
  template <class G> static void gpu_of(...);
  template <class G> static auto cpu_of(int) -> decltype(&G::template cpu<T...>);
  template <class G> static void cpu_of(...);

  static constexpr bool has_each = !std::is_void_v<decltype(each_of<F>(0))>;
  static constexpr bool has_row = !std::is_void_v<decltype(row_of<F>(0))>;
  static constexpr bool has_passes = !std::is_void_v<decltype(passes_of<F>(0))>;
  static constexpr bool has_gpu = !std::is_void_v<decltype(gpu_of<F>(0))>;
  static constexpr bool has_cpu = !std::is_void_v<decltype(cpu_of<Host<F>>(0))>;

  static constexpr auto each() { return &F::template each<T...>; }
  static constexpr auto rows() { return &F::template row<T...>; }
  static constexpr auto passes() { return &F::template passes<T...>; }
  static constexpr auto gpu() { return &F::template gpu<T...>; }
  static constexpr auto cpu() { return &F::template cpu<T...>; }
  template <class... A> static __host__ __device__ void apply(A &&...a) {
    F::template each<T...>(a...);
  }
  template <class... A> static __host__ __device__ void row(Row &row, A &&...a) {
    F::template row<T...>(row, static_cast<A &&>(a)...);
  }
};
template <class F> struct Bodies<F> { // no variables, no templates
  template <class G> static auto each_of(int) -> decltype(&G::each);
  template <class G> static void each_of(...);
  template <class G> static auto passes_of(int) -> decltype(&G::passes);
  template <class G> static void passes_of(...);
  template <class G> static auto row_of(int) -> decltype(&G::row);
  template <class G> static void row_of(...);
  template <class G> static auto gpu_of(int) -> decltype(&G::gpu);
  template <class G> static void gpu_of(...);
  template <class G> static auto cpu_of(int) -> decltype(&G::cpu);
  template <class G> static void cpu_of(...);

  static constexpr bool has_each = !std::is_void_v<decltype(each_of<F>(0))>;
  static constexpr bool has_row = !std::is_void_v<decltype(row_of<F>(0))>;
  static constexpr bool has_passes = !std::is_void_v<decltype(passes_of<F>(0))>;
  static constexpr bool has_gpu = !std::is_void_v<decltype(gpu_of<F>(0))>;
  static constexpr bool has_cpu = !std::is_void_v<decltype(cpu_of<Host<F>>(0))>;

  static constexpr auto each() { return &F::each; }
  static constexpr auto rows() { return &F::row; }
  static constexpr auto passes() { return &F::passes; }
  static constexpr auto gpu() { return &F::gpu; }
  static constexpr auto cpu() { return &F::cpu; }
  template <class... A> static __host__ __device__ void apply(A &&...a) { F::each(a...); }
  template <class... A> static __host__ __device__ void row(Row &row, A &&...a) {
    F::row(row, static_cast<A &&>(a)...);
  }
};

template <class F, int V,
          class = std::make_integer_sequence<int, Declared<F>::signature.n_variables>>
struct BodiesOf;
template <class F, int V, int... Variable>
struct BodiesOf<F, V, std::integer_sequence<int, Variable...>> {
  using type = Bodies<F, element_t<Declared<F>::signature.dtype_in(V, Variable)>...>;
};

/// `each` works on arrays of one shape.
template <class F> constexpr bool of_one_shape() {
  const Signature &s = Declared<F>::signature;
  int first = -1;
  for (int i = 0; i < s.n_arguments; ++i) {
    const Signature::Argument &a = s.arguments[i];
    if (a.role == CUVEC_SCALAR) {
      continue;
    }
    if (a.is_number || a.at_most) {
      return false;
    }
    first = first < 0 ? i : first;
    const Signature::Argument &b = s.arguments[first];
    if (a.is_leading != b.is_leading || a.n_extents != b.n_extents) {
      return false;
    }
    if (!have_same_extents(a, b, a.n_extents)) {
      return false;
    }
  }
  return first >= 0;
}

/// No array says how elements lie: `each` takes all.
template <class F> constexpr bool is_contiguous() {
  for (const Signature::Argument &a : Declared<F>::signature.arguments) {
    if (a.order != Order::contiguous) {
      return false;
    }
  }
  return true;
}

template <class F, class B, int V> struct Complete {
#ifdef CUVEC_CUDA
  static constexpr bool has_gpu = B::has_gpu;
#else
  static constexpr bool has_gpu = true; // it may be where the preprocessor has taken it out
#endif
  static constexpr bool has_rows = array_of_rows(Declared<F>::signature) >= 0;
  static constexpr bool value =
      B::has_each || B::has_row || B::has_passes || (has_gpu && (B::has_cpu || is_gpu_only<F>));
  static_assert(value, "cuvec: function F has neither `each` nor `row` nor both `gpu` and `cpu` "
                       "for the dtypes of its signature");
  static_assert(!B::has_row || has_rows, "cuvec: function F has `row`, and no array with rows");
  static_assert(!B::has_each || of_one_shape<F>(),
                "cuvec: the arrays and results of function F, which has `each`, differ in shape; "
                "write `gpu` and `cpu`");
  static_assert(
      !B::has_each || is_contiguous<F>(),
      "cuvec: function F has `each`, which takes any strides, and an array that is `strided` "
      "or `rows`; leave that out");
};

// ---- bodies with their types erased -------------------------------------------------------------

/// Says in which function an error was; once, where that calls itself.
inline int failed(cuvec_call *call, const char *function, int status, const char *text) {
  const std::size_t length = std::strlen(function);
  if (std::strncmp(text, function, length) == 0 && std::strncmp(text + length, "(): ", 4) == 0) {
    return failed(call, status, text);
  }
  std::snprintf(call->error, CUVEC_MAX_ERROR, "%s(): %s", function, text);
  return status;
}

/// Runs a body, and catches its exceptions: nothing passes the C interface but a status.
template <class F, class Run> int guarded(cuvec_call *call, const Run &run) noexcept {
  constexpr const char *name = name_of<F>;
  try {
    run();
    return CUVEC_OK;
  } catch (const Interrupted &) {
    return CUVEC_INTERRUPTED;
  } catch (const CallFailed &error) {
    return failed(call, name, error.status, error.what());
  } catch (const std::invalid_argument &error) {
    return failed(call, name, CUVEC_VALUE_ERROR, error.what());
  } catch (const std::bad_alloc &) {
    return failed(call, name, CUVEC_MEMORY_ERROR, "not enough memory for its work");
  } catch (const std::exception &error) {
    return failed(call, name, CUVEC_RUNTIME_ERROR, error.what());
  } catch (...) {
    return failed(call, name, CUVEC_RUNTIME_ERROR, "an exception that is no std::exception");
  }
}

template <class F, int V> struct Erased {
  using B = typename BodiesOf<F, V>::type;
  using All = typename Passed<F>::type;

  static int64 elements(const cuvec_value *v) {
    for (int i = 0; i < Declared<F>::signature.n_arguments; ++i) {
      const Signature::Argument &a = Declared<F>::signature.arguments[i];
      if (a.role != CUVEC_SCALAR && (!a.is_optional || v[i].data != nullptr)) {
        return v[i].size;
      }
    }
    return 0;
  }

  /// As many at once as make 16 bytes of the widest.
  template <int... I> static constexpr int lanes_of(std::integer_sequence<int, I...> /*all*/) {
    return lanes(std::max({sizeof(typename Argument<F, V, I>::element)...}));
  }
  static constexpr int lanes_of_each() {
    if constexpr (B::has_each) {
      return lanes_of(All{});
    } else {
      return 0;
    }
  }

  template <class... S>
  static void run_with(Call &call, const cuvec_call &c, const cuvec_value *v,
                       const int (&arguments)[sizeof...(S)], const S &...given) {
    constexpr int N = lanes_of_each();
    const bool on_gpu = call.is_on_gpu();
    if (c.walk != nullptr) {
      const Walk<sizeof...(S)> walk(*c.walk, v, arguments);
      on_gpu ? walk_gpu<B, N>(call, walk, given...)
             : walk_cpu<B>(walk, std::index_sequence_for<S...>{}, given...);
    } else {
      on_gpu ? each_gpu<B, N>(call, elements(v), given...) : each_cpu<B>(elements(v), given...);
    }
  }

  template <int... I>
  static void run_each(Call &call, const cuvec_call &c, const cuvec_value *v,
                       std::integer_sequence<int, I...> /*all*/) {
    constexpr Takes takes = agree_each<F, V>(B::each());
    if constexpr (takes == Takes::call) {
      run_with(call, c, v, {-1, I...}, Number<KernelCall>{call},
               Argument<F, V, I>::elements(v[I])...);
    } else if constexpr (takes == Takes::nothing) {
      run_with(call, c, v, {I...}, Argument<F, V, I>::elements(v[I])...);
    }
  }

  /// Rows of a call, and the elements of each.
  struct Rows {
    int64 count = 1, size = 0;
  };
  static Rows rows(const cuvec_value *v) {
    constexpr int i = array_of_rows(Declared<F>::signature);
    constexpr int dimensions = Declared<F>::signature.arguments[i].rank();
    Rows all;
    for (int axis = 0; axis < dimensions - 1; ++axis) {
      all.count *= v[i].shape[axis];
    }
    all.size = v[i].shape[dimensions - 1];
    return all;
  }

  /// As many as make 16 bytes of the widest element of a row.
  template <int... I> static constexpr int lanes_of_row(std::integer_sequence<int, I...> /*all*/) {
    constexpr auto bytes = [](bool is_in_rows, std::size_t size) { return is_in_rows ? size : 1; };
    return lanes(std::max({bytes(Argument<F, V, I>::part >= PartOfRow::row,
                                 sizeof(typename Argument<F, V, I>::element))...}));
  }

  template <int... I>
  static void run_row(Call &call, const cuvec_value *v, std::integer_sequence<int, I...> all) {
    if constexpr (array_of_rows(Declared<F>::signature) >= 0) {
      if constexpr (agree_row<F, V>(B::rows())) {
        const auto [count, size] = rows(v);
        if (call.is_on_gpu()) {
          row_gpu<B, lanes_of_row(all)>(call, count, size, Argument<F, V, I>::of_row(v[I])...);
        } else {
          row_cpu<B>(call, count, size, Argument<F, V, I>::of_row(v[I])...);
        }
      }
    }
  }

  static void run_passes(Call &call, const cuvec_value *v) {
    run_whole<F, V>(B::passes(), call, v, All{});
  }

  static int cpu(cuvec_call *c, const cuvec_value *v) {
    const Current current(c);
    return guarded<F>(c, [&] {
      Call call(c, name_of<F>);
      if constexpr (!Complete<F, B, V>::value) {
        return;
      } else if constexpr (B::has_each) {
        run_each(call, *c, v, All{});
      } else if constexpr (B::has_row) {
        run_row(call, v, All{});
      } else if constexpr (B::has_passes) {
        run_passes(call, v);
      } else if constexpr (is_gpu_only<F>) {
        throw std::runtime_error(needs_gpu);
      } else {
        run_whole<F, V>(B::cpu(), call, v, All{});
      }
    });
  }

  static int gpu(cuvec_call *c, const cuvec_value *v) {
    return guarded<F>(c, [&] {
      Call call(c, name_of<F>);
      if constexpr (!Complete<F, B, V>::value) {
        return;
      } else if constexpr (B::has_each) {
        run_each(call, *c, v, All{});
      } else if constexpr (B::has_row) {
        run_row(call, v, All{});
      } else if constexpr (B::has_passes) {
        run_passes(call, v);
      } else if constexpr (B::has_gpu) {
        run_whole<F, V>(B::gpu(), call, v, All{});
      }
    });
  }
};

// ---- the row ------------------------------------------------------------------------------------

/// Checks whether the signature was read, and names structs that there are.
template <class F, int... K>
constexpr bool are_structs(std::integer_sequence<int, K...> /*structs of the signature*/) {
  return (is_struct<name_hash(Declared<F>::signature.structs[K])> && ...);
}
template <class F> constexpr bool is_sound() {
  constexpr bool are_known =
      are_structs<F>(std::make_integer_sequence<int, Declared<F>::signature.n_structs>{});
  static_assert(are_known, "cuvec: function F: a dtype of its signature is none, and no struct, "
                           "which CUVEC_STRUCT declares");
  return are_known && Declared<F>::is_read;
}

template <class F, class = std::make_integer_sequence<int, Declared<F>::signature.n_variants()>>
struct Variants;
template <class F, int... V> struct Variants<F, std::integer_sequence<int, V...>> {
#if defined(__CUDACC__)
  static constexpr cuvec_variant rows[] = {
      {&Erased<F, V>::cpu, &Erased<F, V>::gpu, Erased<F, V>::lanes_of_each()}...};
#else
  static constexpr cuvec_variant rows[] = {
      {&Erased<F, V>::cpu, nullptr, Erased<F, V>::lanes_of_each()}...};
  static constexpr cuvec_body checked[] = {&Erased<F, V>::gpu...}; // as strictly as with CUDA
#endif
};

/// Checks whether a CUDA graph may have calls of F, which is so unless it says otherwise.
template <class F>
constexpr auto allows_cuda_graph(int /*first*/) -> decltype(F::allow_cuda_graph) {
  return F::allow_cuda_graph;
}
template <class F> constexpr bool allows_cuda_graph(...) { return true; }

/// How the derivative of F is calculated, if it says so.
template <class F> constexpr auto derivative_of(int /*first*/) -> decltype(F::derivative) {
  return F::derivative;
}
template <class F> constexpr const char *derivative_of(...) { return nullptr; }

/// The GPUs that F is for, if it says so.
template <class F> constexpr auto architectures_of(int /*first*/) -> decltype(F::architectures) {
  return F::architectures;
}
template <class F> constexpr const char *architectures_of(...) { return ""; }

template <class F> constexpr cuvec_function row(const char *file, const char *compiled_for) {
  constexpr const Signature &s = Declared<F>::signature;
  if constexpr (is_sound<F>()) {
#if !defined(__CUDACC__)
    static_cast<void>(Variants<F>::checked[0]); // or nothing would compile them
#endif
    return {(BodiesOf<F, 0>::type::has_each ? CUVEC_EACH : 0) |
                (allows_cuda_graph<F>(0) ? 0 : CUVEC_NO_GRAPH),
            s.n_variants(),
            s.n_structs,
            name_of<F>,
            F::signature,
            F::doc,
            file,
            derivative_of<F>(0),
            compiled_for,
            Variants<F>::rows,
            StructRows<F>::rows,
            nullptr};
  } else {
    return {};
  }
}

/// Checks whether a signature that was read has this name.
template <class F> constexpr bool is_called(const char *name) {
  return !Declared<F>::is_read || same(Declared<F>::signature.name, name);
}

/// Checks whether the file `path` is called `name`, with any extension.
constexpr bool is_stem(const char *path, const char *name) {
  const char *start = path;
  for (const char *p = path; *p != 0; ++p) {
    if (*p == '/' || *p == '\\') {
      start = p + 1;
    }
  }
  while (*name != 0 && *name == *start) {
    ++name;
    ++start;
  }
  return *name == 0 && *start == '.';
}

} // namespace cuvec::detail

/// Architectures that the build has read in the file, and those that it is compiled for, which are
/// to be found in the library behind the name.
#ifndef CUVEC_ARCHITECTURES
#define CUVEC_SAME_ARCHITECTURES(function) true
#else
#define CUVEC_SAME_ARCHITECTURES(function)                                                         \
  cuvec::detail::same(cuvec::detail::architectures_of<function>(0), CUVEC_ARCHITECTURES)
#endif
#ifndef CUVEC_COMPILED_FOR
#define CUVEC_COMPILED(function) nullptr
#else
#define CUVEC_COMPILED(function)                                                                   \
  "cuvec architectures of " #function ": " CUVEC_COMPILED_FOR +                                    \
      sizeof("cuvec architectures of " #function ": ") - 1
#endif

/// Which code for GPUs is the function's, and what it was to be for, which `doctor` reads in a
/// wheel: an ELF note, which is beside that code where the linker drops both or none. nvlink reads
/// nothing but code there, so with -rdc it is where notes are, which are never dropped.
#if !defined(__CUDACC__) || defined(__CUDA_ARCH__) || defined(_MSC_VER) || !defined(CUVEC_PROMISED)
#define CUVEC_CODE(function) static_assert(true)
#else
#ifdef __CUDACC_RDC__
#define CUVEC_CODE_SECTION ".note.cuvec, \"a\", %note"
#else
#define CUVEC_CODE_SECTION ".nv_fatbin, \"a\""
#endif
#define CUVEC_CODE(function)                                                                       \
  asm(".pushsection " CUVEC_CODE_SECTION "\n.balign 4\n.long 6, 2f - 1f, 1\n.asciz \"cuvec\"\n"    \
      ".balign 4\n1: .quad fatbinData - .\n.asciz \"cuvec code of " #function ": " CUVEC_PROMISED  \
      "\"\n.asciz \"release " CUVEC_NVCC "\"\n2: .balign 4\n.popsection")
#define CUVEC_NVCC                                                                                 \
  CUVEC_TEXT(__CUDACC_VER_MAJOR__)                                                                 \
  "." CUVEC_TEXT(__CUDACC_VER_MINOR__) ", V" CUVEC_TEXT(__CUDACC_VER_BUILD__)
#define CUVEC_TEXT(macro) CUVEC_WORDS(macro)
#define CUVEC_WORDS(words) #words
#endif

/// Makes a struct with `signature`, `doc` and bodies a function of the package. It may be called
/// like a function of C, such as `log`, which hides it: so it is known by another of the same name,
/// in a namespace.
#define CUVEC_EXPORT(function)                                                                     \
  using cuvec_struct_##function = struct function;                                                 \
  namespace cuvec_declared {                                                                       \
  struct function : cuvec_struct_##function {};                                                    \
  }                                                                                                \
  static_assert(cuvec::detail::is_called<cuvec_declared::function>(#function),                     \
                "cuvec: the signature of " #function " has another name");                         \
  static_assert(cuvec::detail::is_stem(__FILE__, #function),                                       \
                "cuvec: " #function " must be in the file kernels/" #function ".cu");              \
  static_assert(CUVEC_SAME_ARCHITECTURES(cuvec_declared::function),                                \
                "cuvec: the build reads architectures of " #function                               \
                " in a line of its own: static constexpr auto architectures = \"90a, 100+\";");    \
  CUVEC_CODE(function);                                                                            \
  extern "C" const cuvec_function cuvec_function_##function;                                       \
  constexpr cuvec_function cuvec_function_##function =                                             \
      cuvec::detail::row<cuvec_declared::function>("kernels/" #function ".cu",                     \
                                                   CUVEC_COMPILED(function))
