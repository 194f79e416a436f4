// axpy, dot and gemv as a C programmer writes them for a CPU: plain loops, their threads by OpenMP.
//
// The limit that the packages' CPU path is compared with by cpu.py, which compiles this with the
// flags of a release build. Every loop repeats its work `calls` times, so that no call from Python
// is measured.
#include <stddef.h>

#define PRAGMA(text) _Pragma(#text) // one string however it is wrapped, which _Pragma asks for

#define AXPY(type, name)                                                                           \
  void name(double a, const type *x, type *restrict y, size_t n, int threads, size_t calls) {      \
    for (size_t call = 0; call < calls; ++call) {                                                  \
      if (threads == 1) {                                                                          \
        for (size_t i = 0; i < n; ++i) {                                                           \
          y[i] += (type)a * x[i];                                                                  \
        }                                                                                          \
      } else {                                                                                     \
        _Pragma("omp parallel for simd schedule(static) num_threads(threads)") for (size_t i = 0;  \
                                                                                    i < n; ++i) {  \
          y[i] += (type)a * x[i];                                                                  \
        }                                                                                          \
      }                                                                                            \
      __asm__ volatile("" ::"r"(y) : "memory");                                                    \
    }                                                                                              \
  }

// In double, as the packages do.
#define DOT(type, name)                                                                            \
  double name(const type *x, const type *y, size_t n, int threads, size_t calls) {                 \
    double sum = 0.0;                                                                              \
    for (size_t call = 0; call < calls; ++call) {                                                  \
      sum = 0.0;                                                                                   \
      if (threads == 1) {                                                                          \
        _Pragma("omp simd reduction(+ : sum)") for (size_t i = 0; i < n; ++i) {                    \
          sum += (double)x[i] * (double)y[i];                                                      \
        }                                                                                          \
      } else {                                                                                     \
        PRAGMA(omp parallel for simd schedule(static) num_threads(threads) reduction(+ : sum))     \
        for (size_t i = 0; i < n; ++i) {                                                           \
          sum += (double)x[i] * (double)y[i];                                                      \
        }                                                                                          \
      }                                                                                            \
      __asm__ volatile("" ::"r"(x), "r"(y) : "memory");                                            \
    }                                                                                              \
    return sum;                                                                                    \
  }

// A square matrix and a vector.
#define GEMV(type, name)                                                                           \
  static type name##_row(const type *a, const type *x, size_t n) {                                 \
    type sum = 0;                                                                                  \
    _Pragma("omp simd reduction(+ : sum)") for (size_t j = 0; j < n; ++j) { sum += a[j] * x[j]; }  \
    return sum;                                                                                    \
  }                                                                                                \
  void name(const type *a, const type *x, type *restrict y, size_t n, int threads, size_t calls) { \
    for (size_t call = 0; call < calls; ++call) {                                                  \
      if (threads == 1) {                                                                          \
        for (size_t i = 0; i < n; ++i) {                                                           \
          y[i] = name##_row(a + i * n, x, n);                                                      \
        }                                                                                          \
      } else {                                                                                     \
        _Pragma("omp parallel for schedule(static) num_threads(threads)") for (size_t i = 0;       \
                                                                               i < n; ++i) {       \
          y[i] = name##_row(a + i * n, x, n);                                                      \
        }                                                                                          \
      }                                                                                            \
      __asm__ volatile("" ::"r"(a), "r"(x), "r"(y) : "memory");                                    \
    }                                                                                              \
  }

AXPY(float, axpy_float32)
AXPY(double, axpy_float64)
DOT(float, dot_float32)
DOT(double, dot_float64)
GEMV(float, gemv_float32)
GEMV(double, gemv_float64)
