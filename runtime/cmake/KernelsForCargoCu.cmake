# Tells cargo how to link the target `kernels`: KERNELS_FOR_CARGO is a file with directives, which
# the crate `kernels` prints when it is built.
include_guard()

set(KERNELS_FOR_CARGO "${CMAKE_CURRENT_BINARY_DIR}/kernels.txt")

# What C++ is made of; some compilers are told by their headers.
set(system ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
list(FILTER system INCLUDE REGEX "^(std)?c\\+\\+(abi)?$")
set(directives [[
cargo::rerun-if-changed=$<TARGET_FILE:kernels>
cargo::rustc-link-search=native=$<TARGET_FILE_DIR:kernels>
cargo::rustc-link-lib=static=kernels
]])
if(CUDA)
  string(APPEND directives [[
cargo::rustc-cfg=cuda
cargo::rustc-link-search=native=$<TARGET_FILE_DIR:CUDA::cudart_static>
cargo::rustc-link-lib=static=cudart_static
]])
  string(APPEND directives "cargo::rustc-env=CUDA_MAJOR=${CUDAToolkit_VERSION_MAJOR}\n")
  if(NOT WIN32)
    list(APPEND system rt pthread dl)
  endif()
endif()
list(TRANSFORM system PREPEND "cargo::rustc-link-lib=dylib=")
list(JOIN system "\n" system)
file(GENERATE OUTPUT "${KERNELS_FOR_CARGO}" CONTENT "${directives}${system}\n")
