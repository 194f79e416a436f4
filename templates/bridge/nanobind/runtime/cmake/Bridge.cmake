# The Python module `_core`.
include(cmake/Nanobind.cmake)
nanobind_module(src/module/module.cpp)
