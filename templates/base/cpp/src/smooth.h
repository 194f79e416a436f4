// Functions and a class written by hand, for what a declaration cannot say. They take arrays of any
// library, as declared functions do: see cuvec/api.hpp.
#pragma once

#include <cuvec/api.hpp>

using Vector = cuvec::Array<double>; // one dimension

struct NotConverged : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Makes each element the mean of its neighbours, until none changes by more than `tolerance`, and
/// returns the number of rounds. Throws NotConverged after `limit`.
long relax(const Vector &x, double tolerance, long limit, PyObject *stream);

/// A new array of `n` numbers, evenly spaced.
Vector line(double start, double stop, long long n);

/// Smooths arrays of `n` elements; its buffer stays on the GPU, if there is one.
class Smoother {
public:
  Smoother(long long n, double strength);

  /// Smooths `x` in place, twice: into the buffer and back.
  void apply(const Vector &x, PyObject *stream) const;
  void close() { buffer_.close(); }

private:
  double strength_;
  Vector buffer_;
};
