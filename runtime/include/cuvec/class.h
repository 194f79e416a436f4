// From an owner's struct with a constructor and methods to a class of the table: they are
// functions, whose bodies get an object.
#pragma once

#include "function.h"

namespace cuvec {

/// `using methods = cuvec::Methods<apply, reset>;` in a class lists them.
template <class... M> struct Methods {};

} // namespace cuvec

namespace cuvec::detail {

// ---- a class, or a template of them -------------------------------------------------------------

/// `template <class T> struct Plan`, where a class would be.
template <template <class...> class C> struct Template {};

template <class C> struct Is {
  using type = C;
};
template <class C> Is<C> class_or_template();
template <template <class...> class C> Is<Template<C>> class_or_template();

/// The class for these types of its variables.
template <class C, class... T> struct Of : Is<C> {};
template <template <class...> class C, class... T> struct Of<Template<C>, T...> : Is<C<T...>> {};

/// Trait that is true if there is one.
struct Exists {
  template <template <class...> class C, class... T>
  static auto as_template(int /*first*/) -> decltype(Is<C<T...>>(), std::true_type());
  template <template <class...> class C, class... T> static std::false_type as_template(...);
};
template <class C, class... T> constexpr bool is_class_of = sizeof...(T) == 0;
template <template <class...> class C, class... T>
constexpr bool is_class_of<Template<C>, T...> =
    sizeof...(T) != 0 && decltype(Exists::as_template<C, T...>(0))::value;

/// A class to read the signature in, which all share.
template <class C, class... T> struct Head : Is<C> {};
template <template <class...> class C, class... T>
struct Head<Template<C>, T...>
    : pick<is_class_of<Template<C>, float, T...>, Of<Template<C>, float, T...>,
           Head<Template<C>, float, T...>> {};

/// The constructor of C as a function, and a method, which is M in the class for the first dtypes.
template <class C> struct Constructor {
  static constexpr auto signature = Head<C>::type::signature;
  static constexpr auto doc = Head<C>::type::doc;
};
template <class C, class M> struct Method : M {};

/// `Class.method`
template <class C, class M> struct MethodName {
  char text[128] = {}; // of two names of 63 letters at most
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

/// An object of any of the classes of a template: what a call has.
struct Object {
  Object() = default;
  Object(const Object &) = delete;
  Object &operator=(const Object &) = delete;
  virtual ~Object() = default;
};
template <class C> struct ObjectOf : Object {
  C own;
  template <class... A> explicit ObjectOf(A &&...given) : own(static_cast<A &&>(given)...) {}
};
template <class S> S &object_of(Call &call) {
  return static_cast<ObjectOf<std::remove_const_t<S>> *>(static_cast<Object *>(call.object()))->own;
}

/// The class that is made in variant V of the constructor, or of a method F, whose first variables
/// are the constructor's. If there is none, any other.
template <class C, class... T> struct OfOrAny : pick<is_class_of<C, T...>, Of<C, T...>, Head<C>> {
  static constexpr bool exists = is_class_of<C, T...>;
};
template <class C, class F, int V,
          class = std::make_integer_sequence<int, Declared<Constructor<C>>::signature.n_variables>>
struct ClassIn;
template <class C, class F, int V, int... Variable>
struct ClassIn<C, F, V, std::integer_sequence<int, Variable...>>
    : OfOrAny<C, element_t<Declared<F>::signature.dtype_in(V, Variable)>...> {};

template <class C> using FirstClass = typename ClassIn<C, Constructor<C>, 0>::type;

/// The method in the place of M in the list of another class.
template <class M, class Listed, class Others> struct Counterpart;
template <class M, class... L, class N, class... O>
struct Counterpart<M, Methods<M, L...>, Methods<N, O...>> : Is<N> {};
template <class M, class First, class... L, class N, class... O>
struct Counterpart<M, Methods<First, L...>, Methods<N, O...>>
    : Counterpart<M, Methods<L...>, Methods<O...>> {};

template <class C, class M, int V> struct MethodIn {
  using F = Method<C, M>;
  static constexpr int inherited = Declared<Constructor<C>>::signature.n_variables;
  using Class = typename ClassIn<C, F, V>::type;
  using Own =
      typename Counterpart<M, typename FirstClass<C>::methods, typename Class::methods>::type;

  template <int... I>
  static Is<Bodies<Own, element_t<Declared<F>::signature.dtype_in(V, inherited + I)>...>>
      bodies(std::integer_sequence<int, I...> /*own variables*/);
  static constexpr int own = Declared<F>::signature.n_variables - inherited;
  using type = typename decltype(bodies(std::make_integer_sequence<int, own>{}))::type;
};
template <class C, class M, int V, int... Variable>
struct BodiesOf<Method<C, M>, V, std::integer_sequence<int, Variable...>>
    : Is<typename MethodIn<C, M, V>::type> {};
template <class C, class M, int V, class S>
constexpr bool is_object<Method<C, M>, V, S> =
    std::is_same_v<std::remove_const_t<S>, typename MethodIn<C, M, V>::Class>;

/// Checks whether a class has a constructor for the signature, and whether that takes the call.
template <class C, int V, class = typename Passed<Constructor<C>>::type> struct Constructible;
template <class C, int V, int... I> struct Constructible<C, V, std::integer_sequence<int, I...>> {
  using Made = typename ClassIn<C, Constructor<C>, V>::type;
  static constexpr bool with_call =
      std::is_constructible_v<Made, Call &, typename Argument<Constructor<C>, V, I>::whole...>;
  static constexpr bool plain =
      std::is_constructible_v<Made, typename Argument<Constructor<C>, V, I>::whole...>;
  static constexpr bool value = with_call || plain;
};

/// The same body for the CPU and for the GPU makes an object, and another ends it.
template <class C, int V> struct Constructing {
  using F = Constructor<C>;
  using Made = typename ClassIn<C, F, V>::type;

  template <int... I>
  static Object *make(Call &call, const cuvec_value *v, std::integer_sequence<int, I...> /*all*/) {
    if constexpr (Constructible<C, V>::with_call) {
      return new ObjectOf<Made>(call, Argument<F, V, I>::from(v[I])...);
    } else if constexpr (Constructible<C, V>::plain) {
      return new ObjectOf<Made>(Argument<F, V, I>::from(v[I])...);
    } else {
      return nullptr;
    }
  }

  static int run(cuvec_call *c, const cuvec_value *v) {
    const Current current(c);
    return guarded<F>(c, [&] {
      if (is_gpu_only<Made> && c->stream == nullptr) {
        throw std::runtime_error(needs_gpu);
      }
      Call call(c, name_of<F>);
      c->object = make(call, v, typename Passed<F>::type{});
    });
  }
};
inline void destroy(void *object) { delete static_cast<Object *>(object); }

template <class C, int... V> struct Variants<Constructor<C>, std::integer_sequence<int, V...>> {
  static constexpr bool are_constructible = (Constructible<C, V>::value && ...);
#if defined(__CUDACC__)
  static constexpr cuvec_variant rows[] = {
      {&Constructing<C, V>::run, &Constructing<C, V>::run, 0}...};
#else
  static constexpr cuvec_variant rows[] = {{&Constructing<C, V>::run, nullptr, 0}...};
  static constexpr cuvec_body checked[] = {&Constructing<C, V>::run...};
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
  static_assert(!BodiesOf<F, 0>::type::has_row,
                "cuvec: a method has `row`, which gets no object; write `gpu` and `cpu`");
  static_assert(!has_derivative<F>(0),
                "cuvec: a method has a derivative, which only functions may");
  return row<F>(nullptr, nullptr); // the class has the file, and the GPUs
}

struct Unlisted {};
template <class C> auto listed(int) -> typename C::methods;
template <class C> Unlisted listed(...);

template <class C, class = decltype(listed<FirstClass<C>>(0))> struct ClassRow;
template <class C> struct ClassRow<C, Unlisted> {
  static constexpr cuvec_class value = {};
  static_assert(sizeof(C) == 0, "cuvec: class C lists no methods; write in it `using methods = "
                                "cuvec::Methods<...>;`");
};
template <class C, class... M> struct ClassRow<C, Methods<M...>> {
  static constexpr cuvec_function methods[sizeof...(M) + 1] = {method_row<Method<C, M>>()..., {}};
  static constexpr cuvec_class value = {sizeof...(M), methods, &destroy};
};

template <class C> constexpr bool has_results() {
  const Signature &s = Declared<Constructor<C>>::signature;
  for (int i = 0; i < s.n_arguments; ++i) {
    if (s.arguments[i].role == CUVEC_RESULT) {
      return true;
    }
  }
  return false;
}

template <class C> constexpr cuvec_function class_row(const char *file, const char *compiled_for) {
  static_assert(ClassIn<C, Constructor<C>, 0>::exists,
                "cuvec: class C is not a template of as many types as its signature has dtype "
                "variables; `<T: ...>` needs `template <class T> struct`");
  static_assert(!has_results<C>(), "cuvec: the constructor of class C has results; it returns the "
                                   "object");
  if constexpr (is_sound<Constructor<C>>()) {
    static_assert(Variants<Constructor<C>>::are_constructible,
                  "cuvec: class C has no constructor with the parameters of its signature, and a "
                  "`cuvec::Call &` before them");
  }
  cuvec_function made = row<Constructor<C>>(file, compiled_for);
  made.constructs = &ClassRow<C>::value;
  return made;
}

} // namespace cuvec::detail

/// The class of this name, or its template.
#define CUVEC_DECLARED(Class) decltype(cuvec::detail::class_or_template<Class>())::type

/// Makes a struct with the `signature` and `doc` of its constructor, and `methods`, a class of the
/// package; `template <class T> struct` is one for each choice of dtypes.
#define CUVEC_CLASS(Class)                                                                         \
  static_assert(                                                                                   \
      cuvec::detail::is_called<cuvec::detail::Constructor<CUVEC_DECLARED(Class)>>(#Class),         \
      "cuvec: the signature of " #Class " has another name");                                      \
  static_assert(cuvec::detail::is_stem(__FILE__, #Class),                                          \
                "cuvec: " #Class " must be in the file kernels/" #Class ".cu");                    \
  static_assert(CUVEC_SAME_ARCHITECTURES(cuvec::detail::FirstClass<CUVEC_DECLARED(Class)>),        \
                "cuvec: the build reads architectures of " #Class                                  \
                " in a line of its own: static constexpr auto architectures = \"90a, 100+\";");    \
  CUVEC_CODE(Class);                                                                               \
  extern "C" const cuvec_function cuvec_function_##Class;                                          \
  constexpr cuvec_function cuvec_function_##Class =                                                \
      cuvec::detail::class_row<CUVEC_DECLARED(Class)>("kernels/" #Class ".cu",                     \
                                                      CUVEC_COMPILED(Class))
