// The C interface of the library `libext`, which ext.py calls.

#include <cuvec/ctypes.h>

#include "smooth.h"

/// The number of rounds, or 0 if they were not enough.
CUVEC_EXPORT long relax_x(PyObject *x, double tolerance, long limit, PyObject *stream) {
  return cuvec::guard([&] {
    try {
      return relax(Vector(x, "x"), tolerance, limit, stream);
    } catch (const NotConverged &) {
      return 0L;
    }
  });
}

CUVEC_EXPORT PyObject *make_line(double start, double stop, long long n) {
  return cuvec::guard([&] { return line(start, stop, n).object(); });
}

CUVEC_EXPORT Smoother *smoother_new(long long n, double strength) {
  return cuvec::guard([&] { return new Smoother(n, strength); });
}

CUVEC_EXPORT void smoother_apply(const Smoother *smoother, PyObject *x, PyObject *stream) {
  cuvec::guard([&] { smoother->apply(Vector(x, "x"), stream); });
}

CUVEC_EXPORT_CLASS(Smoother, smoother) // smoother_close and smoother_delete
