# The Python module `_core`: C++ over Rust, through the bridge in src/lib.rs. It is for the stable ABI
# where nanobind has one: on Python 3.12 and later.
enable_language(CXX)
include(${CMAKE_CURRENT_LIST_DIR}/Strict.cmake)

cargo_library(core_rs HEADERS rust/cxx.h bridge/src/lib.rs.h)

# The interface host/include/host, for C++.
add_library(host STATIC
  ${NATIVE}/host/src/array.cpp
  ${NATIVE}/host/src/dlpack.cpp
  ${NATIVE}/host/src/dtype.cpp
  ${NATIVE}/host/src/shape.cpp
  ${NATIVE}/host/src/xla/call.cpp
  ${NATIVE}/host/src/xla/handler.cpp
  ${NATIVE}/host/src/xla/number.cpp
  ${NATIVE}/bridge/src/block.cpp
  ${NATIVE}/bridge/src/cuvec.cpp
  ${NATIVE}/bridge/src/device.cpp
  ${NATIVE}/bridge/src/functions.cpp
  ${NATIVE}/bridge/src/ops.cpp)
target_include_directories(host PUBLIC ${NATIVE}/bridge/src ${NATIVE}/host/include)
target_link_libraries(host PUBLIC core_rs)
compile_strictly(host)

include(${CMAKE_CURRENT_LIST_DIR}/Python.cmake)
find_package(nanobind CONFIG REQUIRED) # after Python, so that it takes the one that was found

nanobind_add_module(_core STABLE_ABI FREE_THREADED NB_STATIC NB_SUPPRESS_WARNINGS
  NB_DOMAIN ${SKBUILD_PROJECT_NAME} # other packages made with nanobind have nothing to do with it
  ${NATIVE}/bridge/module/crossings.cpp
  ${NATIVE}/bridge/module/module.cpp)
finish_module(_core)
