// The C interface of the library `libext`, which ext.py calls.

#include <cuvec/api.hpp>

#include "smooth.h"

#ifdef _WIN32
#define EXPORT extern "C" __declspec(dllexport)
#else
#define EXPORT extern "C" __attribute__((visibility("default")))
#endif

using Array = cuvec::Array<double>;

// What is thrown becomes Python's exception, which ctypes raises.

/// Takes what the runtime's capsule holds.
EXPORT int ext_load(const cuvec_api *api) {
  return cuvec::guard(-1, [&] { return cuvec::load(api), 0; });
}

/// The number of rounds, or 0 if they were not enough.
EXPORT long ext_relax(PyObject *x, double tolerance, long limit, PyObject *stream) {
  return cuvec::guard(-1L, [&] {
    try {
      return relax(Array(x, "x"), tolerance, limit, stream);
    } catch (const NotConverged &) {
      return 0L;
    }
  });
}

EXPORT PyObject *ext_line(double start, double stop, long long n) {
  constexpr PyObject *failed = nullptr;
  return cuvec::guard(failed, [&] { return line(start, stop, n).object(); });
}

EXPORT Smoother *ext_smoother_new(long long n, double strength) {
  constexpr Smoother *failed = nullptr;
  return cuvec::guard(failed, [&] { return new Smoother(n, strength); });
}

EXPORT int ext_smoother_apply(const Smoother *smoother, PyObject *x, PyObject *stream) {
  return cuvec::guard(-1, [&] { return smoother->apply(Array(x, "x"), stream), 0; });
}

EXPORT void ext_smoother_close(Smoother *smoother) { smoother->close(); }

EXPORT void ext_smoother_delete(Smoother *smoother) { delete smoother; }
