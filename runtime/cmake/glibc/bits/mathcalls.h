/* Hides functions of glibc 2.42 from an nvcc older than it, whose headers declare some of the same,
   `rsqrt` among them, as if they could throw. Cuda.cmake puts this folder before glibc's
   where it is needed. */
#pragma push_macro("__GLIBC_USE_IEC_60559_FUNCS_EXT_C23")
#undef __GLIBC_USE_IEC_60559_FUNCS_EXT_C23
#define __GLIBC_USE_IEC_60559_FUNCS_EXT_C23 0
#include_next <bits/mathcalls.h>
#pragma pop_macro("__GLIBC_USE_IEC_60559_FUNCS_EXT_C23")
