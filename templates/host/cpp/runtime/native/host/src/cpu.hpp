// The CPU path: the kernels' work as plain loops, on several threads when it is worth it.
#pragma once

#include <cstddef>

namespace host::cpu {

/// y += a * x, for float and double
template <typename T> void axpy(T a, const T *x, T *y, std::size_t n);

/// sum(x * y), added pairwise in double, for float and double.
///
/// The tree of additions depends on the length alone, not on the number of threads, so that
/// equal input gives equal bits. Its error grows with the logarithm of the length:
/// N. J. Higham, "The accuracy of floating point summation", SIAM J. Sci. Comput. 14 (1993).
template <typename T> double dot(const T *x, const T *y, std::size_t n);

/// sum(x), added pairwise
double sum(const double *x, std::size_t n);

} // namespace host::cpu
