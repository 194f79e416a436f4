// For a library that Python calls with ctypes, through mypkg.cuvec.library: functions that it
// exports, whose exceptions become Python's. Include it in one file of the library.
//
//     CUVEC_EXPORT PyObject *halved(PyObject *x) {
//       return cuvec::guard([&] { return half(cuvec::Array<const double>(x, "x")).object(); });
//     }
//
// A function returns null or -1 where it has set an exception, or anything else: ctypes asks
// Python.
#pragma once

#include <type_traits>

#include "api.hpp"

#ifdef _WIN32
#define CUVEC_EXPORT extern "C" __declspec(dllexport)
#else
#define CUVEC_EXPORT extern "C" __attribute__((visibility("default")))
#endif

namespace cuvec {

/// Turns exceptions of `f` into Python's; the result is then null or -1.
template <class F> auto guard(const F &f) noexcept {
  using Result = decltype(f());
  if constexpr (std::is_void_v<Result>) {
    guard(-1, [&] { return f(), 0; });
  } else if constexpr (std::is_pointer_v<Result>) {
    return guard(Result(nullptr), f);
  } else {
    return guard(Result(-1), f);
  }
}

} // namespace cuvec

/// Takes what the runtime's capsule holds; mypkg.cuvec.library calls it.
CUVEC_EXPORT void cuvec_load(const cuvec_api *api) {
  cuvec::guard([&] { cuvec::load(api); });
}

/// Functions <name>_close and <name>_delete for a class, whose objects Python has as addresses.
#define CUVEC_EXPORT_CLASS(Class, name)                                                            \
  CUVEC_EXPORT void name##_close(Class *object) {                                                  \
    cuvec::guard([&] { object->close(); });                                                        \
  }                                                                                                \
  CUVEC_EXPORT void name##_delete(Class *object) { delete object; }
