// The header for files in kernels/: declarations of functions, and building blocks of kernels and
// CPU paths. runtime/README.md shows all of it.
//
// nvcc reads these files for the CPU and the GPU; without CUDA a C++ compiler does.
#pragma once

// Between `#ifdef CUVEC_CUDA` and `#endif` there may be anything that nvcc knows: nothing else
// reads it.
#ifdef __CUDACC__
#ifndef CUVEC_CUDA
#define CUVEC_CUDA
#endif
#else
#include "cuvec/plain.h"
#endif

#include <cmath>
#include <cstdint>

#include "cuvec/fast.h"
#include "cuvec/passes.h"
#include "cuvec/reduce.h"
#include "cuvec/sum.h"

#include "cuvec/class.h"
