# The Python module `_core`.
include(cmake/Python.cmake)
find_package(pybind11 CONFIG REQUIRED) # after Python, so that it takes the one that was found

pybind11_add_module(_core
  src/module/device.cpp
  src/module/errors.cpp
  src/module/functions.cpp
  src/module/module.cpp)
target_link_libraries(_core PRIVATE python)
compile_strictly(_core)
if(UNIX AND NOT APPLE)
  target_link_options(_core PRIVATE LINKER:--exclude-libs,ALL) # keeps the symbols of archives inside
endif()
install(TARGETS _core LIBRARY DESTINATION .)
