# The Python module `_core`: C++ over Rust, through the bridge in src/lib.rs.
enable_language(CXX)
include(cmake/Strict.cmake)
include(cmake/Nanobind.cmake)

cargo_library(core_rs HEADERS rust/cxx.h bridge/src/lib.rs.h)

# The interface host/include/host, for C++.
add_library(host STATIC
  host/src/array.cpp
  host/src/dlpack.cpp
  host/src/dtype.cpp
  host/src/shape.cpp
  src/block.cpp
  src/cuvec.cpp
  src/device.cpp
  src/ops.cpp)
target_include_directories(host PUBLIC src host/include)
target_link_libraries(host PUBLIC core_rs)
compile_strictly(host)

nanobind_module(
  src/module/crossings.cpp
  src/module/module.cpp)
