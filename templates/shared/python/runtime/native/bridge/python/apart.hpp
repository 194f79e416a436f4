// What is kept out of the code of small calls, which is read from memory at every one.
#pragma once

#ifdef _MSC_VER
#define PYTHON_APART __declspec(noinline)
#else
#define PYTHON_APART __attribute__((noinline))
#endif
