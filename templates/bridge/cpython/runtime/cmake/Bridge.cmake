# The Python module `_core`.
include(${CMAKE_CURRENT_LIST_DIR}/Python.cmake)

if(TARGET Python::SABIModule)
  set(abi USE_SABI ${SKBUILD_SABI_VERSION})
endif()
python_add_library(_core MODULE WITH_SOABI ${abi} ${bridge}/module/module.cpp)
finish_module(_core)
