// From an owner's struct with a constructor and methods to a class of the table: they are
// functions, whose bodies get an object.
#pragma once

#include "function.h"

namespace cuvec {

/// `using methods = cuvec::Methods<apply, reset>;` in a class lists them.
template <class... M> struct Methods {};

} // namespace cuvec

namespace cuvec::detail {

/// The constructor of C as a function, and a method.
template <class C> struct Constructor {
  static constexpr auto signature = C::signature;
  static constexpr auto doc = C::doc;
};
template <class C, class M> struct Method : M {};

/// A method knows the constructor's integers and dimensions.
template <class C, class M> struct Read<Method<C, M>> {
  static constexpr Signature signature =
      read_signature(M::signature, &Declared<Constructor<C>>::signature);
};

/// `Class.method`
template <class C, class M> struct MethodName {
  char text[2 * CUVEC_MAX_NAME] = {};
  constexpr MethodName() {
    int at = 0;
    const char *const parts[] = {Declared<Constructor<C>>::signature.name, ".",
                                 Declared<Method<C, M>>::signature.name};
    for (const char *part : parts) {
      for (; *part != 0; ++part) {
        text[at++] = *part;
      }
    }
  }
};
template <class C, class M> inline constexpr MethodName<C, M> method_name{};
template <class C, class M> constexpr const char *name_of<Method<C, M>> = method_name<C, M>.text;

// ---- bodies ----------------------------------------------------------------------------------

template <class C, class M> constexpr bool is_object<Method<C, M>, C> = true;
template <class C, class M> constexpr bool is_object<Method<C, M>, const C> = true;

/// Whether C has a constructor for what its signature says, and whether it takes the call first.
template <class C,
          class = std::make_integer_sequence<int, Declared<Constructor<C>>::signature.n_arguments>>
struct Constructible;
template <class C, int... I> struct Constructible<C, std::integer_sequence<int, I...>> {
  static constexpr bool with_call =
      std::is_constructible_v<C, Call &, typename Argument<Constructor<C>, 0, I>::whole...>;
  static constexpr bool plain =
      std::is_constructible_v<C, typename Argument<Constructor<C>, 0, I>::whole...>;
};

/// The same body for the CPU and for the GPU makes an object, and another ends it.
template <class C> struct Constructing {
  using F = Constructor<C>;

  template <int... I>
  static void *make(Call &call, const cuvec_value *v, std::integer_sequence<int, I...> /*all*/) {
    if constexpr (Constructible<C>::with_call) {
      return new C(call, Argument<F, 0, I>::from(v[I])...);
    } else if constexpr (Constructible<C>::plain) {
      return new C(Argument<F, 0, I>::from(v[I])...);
    } else {
      return nullptr;
    }
  }

  static int run(cuvec_call *c, const cuvec_value *v) {
    const Current current(c);
    return guarded<F>(c, [&] {
      if (is_gpu_only<C> && c->stream == nullptr) {
        throw std::runtime_error(needs_gpu);
      }
      Call call(c, name_of<F>);
      constexpr int count = Declared<F>::signature.n_arguments;
      c->object = make(call, v, std::make_integer_sequence<int, count>{});
    });
  }

  static void destroy(void *object) { delete static_cast<C *>(object); }
};

template <class C, int... V> struct Variants<Constructor<C>, std::integer_sequence<int, V...>> {
  static_assert(Declared<Constructor<C>>::signature.n_variables == 0,
                "cuvec: the constructor of class C has dtype variables, which only methods may; "
                "write a class for each dtype of the state");
  static constexpr cuvec_body run = &Constructing<C>::run;
#if defined(__CUDACC__)
  static constexpr cuvec_variant rows[] = {{ run, run }};
#else
  static constexpr cuvec_variant rows[] = {{run, nullptr}};
  static constexpr cuvec_body checked[] = {run};
#endif
};

// ---- the rows --------------------------------------------------------------------------------

template <class F> constexpr bool has_derivative(...) { return false; }
template <class F> constexpr auto has_derivative(int) -> decltype(F::derivative, true) {
  return true;
}

template <class F> constexpr cuvec_function method_row() {
  static_assert(!BodiesOf<F, 0>::type::has_each,
                "cuvec: a method has `each`, which gets no object; write `gpu` and `cpu`");
  static_assert(!has_derivative<F>(0),
                "cuvec: a method has a derivative, which only functions may");
  return row<F>(nullptr, nullptr); // the class has the file, and the GPUs
}

struct Unlisted {};
template <class C> auto listed(int) -> typename C::methods;
template <class C> Unlisted listed(...);

template <class C, class = decltype(listed<C>(0))> struct ClassRow;
template <class C> struct ClassRow<C, Unlisted> {
  static constexpr cuvec_class value = {};
  static_assert(sizeof(C) == 0, "cuvec: class C lists no methods; write in it `using methods = "
                                "cuvec::Methods<...>;`");
};
template <class C, class... M> struct ClassRow<C, Methods<M...>> {
  static constexpr cuvec_function methods[sizeof...(M) + 1] = {method_row<Method<C, M>>()..., {}};
  static constexpr cuvec_class value = {sizeof...(M), methods, &Constructing<C>::destroy};
};

template <class C> constexpr bool has_results() {
  for (const cuvec_argument &a : Declared<Constructor<C>>::signature.arguments) {
    if (a.role == CUVEC_RESULT) {
      return true;
    }
  }
  return false;
}

template <class C> constexpr cuvec_function class_row(const char *file, const char *compiled_for) {
  static_assert(!has_results<C>(), "cuvec: the constructor of class C has results; it returns the "
                                   "object");
  if constexpr (Declared<Constructor<C>>::signature.fault == Fault::none) {
    static_assert(Constructible<C>::with_call || Constructible<C>::plain,
                  "cuvec: class C has no constructor with the parameters of its signature, and a "
                  "`cuvec::Call &` before them");
  }
  cuvec_function made = row<Constructor<C>>(file, compiled_for);
  made.constructs = &ClassRow<C>::value;
  return made;
}

} // namespace cuvec::detail

/// Makes a struct with the `signature` and `doc` of its constructor, and `methods`, a class of the
/// package.
#define CUVEC_CLASS(Class)                                                                         \
  static_assert(                                                                                   \
      cuvec::detail::same(cuvec::detail::name_of<cuvec::detail::Constructor<Class>>, #Class),      \
      "cuvec: the signature of " #Class " has another name");                                      \
  static_assert(cuvec::detail::is_stem(__FILE__, #Class),                                          \
                "cuvec: " #Class " must be in the file kernels/" #Class ".cu");                    \
  static_assert(CUVEC_SAME_ARCHITECTURES(Class),                                                   \
                "cuvec: the build reads architectures of " #Class                                  \
                " in a line of its own: static constexpr auto architectures = \"90a, 100+\";");    \
  CUVEC_CODE(Class);                                                                               \
  extern "C" const cuvec_function cuvec_function_##Class;                                          \
  constexpr cuvec_function cuvec_function_##Class =                                                \
      cuvec::detail::class_row<Class>("kernels/" #Class ".cu", CUVEC_COMPILED(Class))
