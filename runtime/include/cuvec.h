// What a file in kernels/ includes: how a function is declared, and what kernels and CPU paths are
// made of. runtime/README.md shows all of it.
//
// nvcc reads these files for the CPU and the GPU; without CUDA a C++ compiler does.
#pragma once

#ifndef __CUDACC__
#include "cuvec/plain.h"
#endif

#include <cmath>
#include <cstdint>

#include "cuvec/sum.h"

#include "cuvec/function.h"
