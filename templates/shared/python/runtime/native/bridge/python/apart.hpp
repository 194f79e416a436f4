// Marks what few calls need: it stays out of the code that all of them run through.
#pragma once

#ifdef _MSC_VER
#define PYTHON_APART __declspec(noinline)
#else
#define PYTHON_APART __attribute__((noinline))
#endif
