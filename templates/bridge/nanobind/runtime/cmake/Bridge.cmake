# The Python module `_core`, for the stable ABI where nanobind has one: on Python 3.12 and later.
include(${CMAKE_CURRENT_LIST_DIR}/Python.cmake)
find_package(nanobind CONFIG REQUIRED) # after Python, so that it takes the one that was found

if(SKBUILD_STATE STREQUAL "wheel" AND NOT DEFINED CMAKE_UNITY_BUILD)
  set(CMAKE_UNITY_BUILD ON) # nanobind's own files are compiled as one
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 0)
endif()
nanobind_add_module(_core STABLE_ABI FREE_THREADED NB_STATIC NB_SUPPRESS_WARNINGS
  NB_DOMAIN ${SKBUILD_PROJECT_NAME} # other packages made with nanobind have nothing to do with it
  ${bridge}/module/module.cpp)
unset(CMAKE_UNITY_BUILD)
finish_module(_core)
