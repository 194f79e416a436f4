#include "project.h"

__device__ double weight(long i) { return 1.0 + double(i); }
