# Tells cargo where the image of the kernels is: KERNELS_FOR_CARGO is a file with directives, which the
# crate `kernels` prints when it is built; KERNELS_ENVIRONMENT is for cargo itself.
include_guard()

set(KERNELS_FOR_CARGO "${CMAKE_CURRENT_BINARY_DIR}/kernels.txt")
set(directives "")
if(CUDA)
  set(directives [[
cargo::rerun-if-changed=@KERNELS_IMAGE@
cargo::rustc-env=KERNELS_IMAGE=@KERNELS_IMAGE@
cargo::rustc-cfg=kernels
]])
endif()
file(CONFIGURE OUTPUT "${KERNELS_FOR_CARGO}" CONTENT "${directives}" @ONLY)

set(KERNELS_ENVIRONMENT "KERNELS=${KERNELS}")
# What goes wrong in a kernel says where: a file of kernels/, wherever that is while building.
string(ASCII 31 separator) # cargo's, for flags that may hold blanks
set(flags "$ENV{CARGO_ENCODED_RUSTFLAGS}")
if(flags STREQUAL "" AND NOT "$ENV{RUSTFLAGS}" STREQUAL "")
  string(REPLACE " " "${separator}" flags "$ENV{RUSTFLAGS}")
endif()
if(NOT flags STREQUAL "")
  string(APPEND flags "${separator}")
endif()
list(APPEND KERNELS_ENVIRONMENT "CARGO_ENCODED_RUSTFLAGS=${flags}--remap-path-prefix=${KERNELS}=kernels")
if(DEFINED ENV{KERNELS_CHECKED}) # on the CPU as well
  list(APPEND KERNELS_ENVIRONMENT CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS=true)
endif()
