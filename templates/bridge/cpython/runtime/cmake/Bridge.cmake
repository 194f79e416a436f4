# The Python module `_core`.
include(cmake/Python.cmake)

if(TARGET Python::SABIModule)
  set(abi USE_SABI ${SKBUILD_SABI_VERSION})
endif()
python_add_library(_core MODULE WITH_SOABI ${abi}
  src/module/call.cpp
  src/module/device.cpp
  src/module/functions.cpp
  src/module/memory.cpp
  src/module/module.cpp)
target_link_libraries(_core PRIVATE python)
compile_strictly(_core)
if(UNIX AND NOT APPLE)
  target_link_options(_core PRIVATE LINKER:--exclude-libs,ALL) # keeps the symbols of archives inside
endif()
install(TARGETS _core LIBRARY DESTINATION .)
