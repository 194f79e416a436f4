# The Python module `_core`.
include(${CMAKE_CURRENT_LIST_DIR}/Python.cmake)
find_package(pybind11 CONFIG REQUIRED) # after Python, so that it takes the one that was found

pybind11_add_module(_core ${bridge}/module/module.cpp)
finish_module(_core)
