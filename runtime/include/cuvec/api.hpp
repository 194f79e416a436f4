// api.h for C++17: arrays that release themselves, bodies that are lambdas, errors as exceptions.
//
//     void scale(PyObject *object, double factor, PyObject *stream) {
//       const cuvec::Array<double> x(object, "x"); // of any library; const double: it is only read
//       const auto body = [=](cuvec::Out<double> x) {
//         cuvec::parallel(x.size(), [=](cuvec::int64 i) { x[i] *= factor; });
//       };
//       cuvec::run("scale", stream, body, x);
//     }
//
// A module calls cuvec::load() when it is made. nanobind.h, pybind11.h and cuvec.i convert
// arguments and results. Python.h, or the header of the binding tool, is included before this one.
#pragma once

#ifndef __CUDACC__
#include "plain.h"
#endif

#include <cstddef>
#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "api.h"
#include "cpu.h"
#include "operand.h"

#ifdef __GNUC__
#define CUVEC_PRIVATE __attribute__((visibility("hidden"))) // each module has its package's
#else
#define CUVEC_PRIVATE
#endif

namespace cuvec {

/// Python's exception is set.
struct Error : std::exception {
  const char *what() const noexcept override { return "Python's exception is set"; }
};

// ---- the functions of api.h ---------------------------------------------------------------------

CUVEC_PRIVATE inline const cuvec_api *loaded = nullptr;

inline const cuvec_api &api() {
  if (loaded == nullptr) {
    throw std::logic_error("cuvec::load() was not called when the module was made");
  }
  return *loaded;
}

/// Loads what the capsule holds.
inline void load(const cuvec_api *functions) {
  if (functions->version != CUVEC_API || functions->size < int32_t(sizeof(cuvec_api))) {
    throw std::runtime_error("compiled with another version of the runtime; rebuild the package");
  }
  loaded = functions;
}

#ifdef Py_PYTHON_H
/// Loads them from the package that the module is in.
inline void load(PyObject *module) {
  const char *name = PyModule_GetName(module);
  if (name == nullptr) {
    throw Error();
  }
  const std::string full(name), package = full.substr(0, full.rfind('.'));
  PyObject *core = PyImport_ImportModule((package + ".cuvec._core").c_str());
  PyObject *capsule = core == nullptr ? nullptr : PyObject_GetAttrString(core, "_api");
  void *functions = capsule == nullptr ? nullptr : PyCapsule_GetPointer(capsule, CUVEC_API_CAPSULE);
  Py_XDECREF(capsule);
  Py_XDECREF(core); // it is never unloaded
  if (functions == nullptr) {
    throw Error();
  }
  load(static_cast<const cuvec_api *>(functions));
}
#endif

// ---- arrays -------------------------------------------------------------------------------------

/// An array of any dtype, released at the end.
class Borrowed {
public:
  Borrowed() = default;
  explicit Borrowed(cuvec_array *array) : array_(array) {
    if (array == nullptr) {
      throw Error();
    }
  }
  Borrowed(Borrowed &&other) noexcept : array_(std::exchange(other.array_, nullptr)) {}
  Borrowed &operator=(Borrowed &&other) noexcept {
    std::swap(array_, other.array_);
    return *this;
  }
  ~Borrowed() { close(); }

  /// Releases it: it is an array no longer.
  void close() {
    if (array_ != nullptr) {
      api().release(std::exchange(array_, nullptr));
    }
  }
  explicit operator bool() const { return array_ != nullptr; }

  int64 size() const { return get()->size; }
  int64 size(int axis) const { return get()->shape[axis]; }

  /// Its Python object, a new reference.
  PyObject *object() const {
    PyObject *object = api().object(get());
    if (object == nullptr) {
      throw Error();
    }
    return object;
  }

  cuvec_array *get() const {
    if (array_ == nullptr) {
      throw std::invalid_argument("the array is closed");
    }
    return array_;
  }

private:
  cuvec_array *array_ = nullptr;
};

/// An array of Python's, of `Rank` dimensions, or with -1 of any shape as one row of elements. It
/// is written to; an array of `const T` is only read.
template <class T, int Rank = 1> class Array : public Borrowed {
public:
  using View = cuvec::View<T, (Rank < 0 ? 1 : Rank)>; // of what a body gets

  Array() = default;
  explicit Array(PyObject *object, const char *name = "array")
      : Borrowed(
            api().borrow(object, name, std::is_const_v<T> ? CUVEC_IN : CUVEC_INOUT, dtype, Rank)) {}
  explicit Array(cuvec_array *array) : Borrowed(array) {}

  static View view(const cuvec_value &value) {
    View view{static_cast<T *>(value.data), {value.size}};
    for (int axis = 0; axis < Rank; ++axis) {
      view.shape[axis] = value.shape[axis];
    }
    return view;
  }

private:
  static constexpr int dtype = dtype_of<std::remove_const_t<T>>;
  static_assert(dtype != 0, "cuvec: no dtype has elements of type T");
};

#if defined(__cpp_nontype_template_args) && __cpp_nontype_template_args >= 201911L
template <std::size_t N> struct Name {
  char text[N] = {};
  constexpr Name(const char (&name)[N]) { std::copy_n(name, N, text); }
};

/// An argument of a function that is bound, with its name for messages: `Named<"x", double>`. It
/// takes a compiler of C++20.
template <Name name, class T, int Rank = 1> class Named : public Array<T, Rank> {
public:
  Named() = default;
  explicit Named(PyObject *object) : Array<T, Rank>(object, name.text) {}
};
#endif

/// A new CuVec: `zeros<float>(n, m)`.
template <class T, class... Sizes> Array<T, sizeof...(Sizes)> zeros(Sizes... sizes) {
  const int64_t shape[] = {int64_t(sizes)..., 0};
  return Array<T, sizeof...(Sizes)>(api().zeros(dtype_of<T>, sizeof...(Sizes), shape));
}

// ---- calls --------------------------------------------------------------------------------------

/// A body for each side. Without CUDA the CPU's serves both.
template <class Cpu, class Gpu> struct Bodies {
  Cpu cpu;
  Gpu gpu;
};
template <class Cpu, class Gpu> Bodies(Cpu, Gpu) -> Bodies<Cpu, Gpu>;

template <class Body, class... Views> auto enter(Body &body, Call &call, Views... views) {
  if constexpr (std::is_invocable_v<Body &, Call &, Views...>) {
    return body(call, views...);
  } else {
    return body(views...);
  }
}

/// One call of `run`.
template <class Cpu, class Gpu, class... Arrays> class Run {
public:
  using Result = decltype(enter(std::declval<Cpu &>(), std::declval<Call &>(),
                                std::declval<typename Arrays::View>()...));

  explicit Run(Bodies<Cpu, Gpu> &bodies) : bodies_(bodies) {}

  Result run(const char *function, PyObject *stream, const Arrays &...arrays) {
    cuvec_array *const given[] = {arrays.get()..., nullptr};
    cuvec_api_body gpu = nullptr;
#if defined(CUVEC_CUDA) || defined(__CUDACC__)
    if constexpr (!std::is_null_pointer_v<Gpu>) {
      gpu = on_gpu;
    }
#endif
    const int status = api().run(function, stream, given, sizeof...(Arrays), on_cpu, gpu, this);
    if (error_ != nullptr) {
      std::rethrow_exception(error_);
    }
    if (status != 0) {
      throw Error();
    }
    if constexpr (!std::is_void_v<Result>) {
      return std::move(*result_);
    }
  }

private:
  static int on_cpu(cuvec_call *call, const cuvec_value *values, void *self) {
    auto &run = *static_cast<Run *>(self);
    return run.body(run.bodies_.cpu, call, values, std::index_sequence_for<Arrays...>());
  }
  static int on_gpu(cuvec_call *call, const cuvec_value *values, void *self) {
    auto &run = *static_cast<Run *>(self);
    return run.body(run.bodies_.gpu, call, values, std::index_sequence_for<Arrays...>());
  }

  /// No exception passes the C interface: it waits here.
  template <class Body, std::size_t... I>
  int body(Body &body, cuvec_call *c, [[maybe_unused]] const cuvec_value *values,
           std::index_sequence<I...> /*arrays*/) noexcept {
    const detail::Current current(c);
    int status = CUVEC_OK;
    try {
      Call call(c);
      if constexpr (std::is_void_v<Result>) {
        enter(body, call, Arrays::view(values[I])...);
      } else {
        result_.emplace(enter(body, call, Arrays::view(values[I])...));
      }
    } catch (const Interrupted &) {
      status = CUVEC_INTERRUPTED;
    } catch (const CallFailed &error) {
      status = detail::failed(c, error.status, error.what());
    } catch (...) {
      error_ = std::current_exception();
      status = -2;
    }
    return status;
  }

  Bodies<Cpu, Gpu> &bodies_;
  std::optional<std::conditional_t<std::is_void_v<Result>, char, Result>> result_;
  std::exception_ptr error_;
};

/// Runs a body like a declared function's: on the GPU if there is one and it has a body for it,
/// without the GIL, on the stream. It gets a `Call &`, if it takes one, and views of the arrays,
/// and returns what `run` returns; with a stream the GPU may still be at work then. An exception of
/// the body's comes through.
template <class Cpu, class Gpu, class... Arrays>
auto run(const char *function, PyObject *stream, Bodies<Cpu, Gpu> bodies, const Arrays &...arrays) {
  return Run<Cpu, Gpu, Arrays...>(bodies).run(function, stream, arrays...);
}

/// The same for a body that is the CPU's alone.
template <class Body, class... Arrays>
auto run(const char *function, PyObject *stream, Body body, const Arrays &...arrays) {
  return run(function, stream, Bodies<Body, std::nullptr_t>{std::move(body), nullptr}, arrays...);
}

/// Calls a declared function: a new reference.
inline PyObject *call(const char *function, PyObject *arguments, PyObject *keywords = nullptr) {
  PyObject *result = api().call(function, arguments, keywords);
  if (result == nullptr) {
    throw Error();
  }
  return result;
}

/// In a `catch (...)`: makes Python's exception of what was thrown.
inline void set_error() noexcept {
  const auto set = [](int status, const char *message) {
    if (loaded != nullptr) {
      loaded->set_error(status, message);
    }
#ifdef Py_PYTHON_H
    if (loaded == nullptr) {
      PyErr_SetString(PyExc_ImportError, message);
    }
#endif
  };
  try {
    throw;
  } catch (const Error &) { // set already
  } catch (const std::invalid_argument &error) {
    set(CUVEC_VALUE_ERROR, error.what());
  } catch (const std::bad_alloc &) {
    set(CUVEC_MEMORY_ERROR, "not enough memory");
  } catch (const std::exception &error) {
    set(CUVEC_RUNTIME_ERROR, error.what());
  } catch (...) {
    set(CUVEC_RUNTIME_ERROR, "an exception that is no std::exception");
  }
}

/// For functions that Python calls directly: what `f` throws becomes Python's exception, and the
/// result is then `failed`.
template <class R, class F> R guard(R failed, const F &f) noexcept {
  try {
    return f();
  } catch (...) {
    set_error();
    return failed;
  }
}

} // namespace cuvec
