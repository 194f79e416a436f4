# Provides the PTX of the kernels, kernels.ptx, as the image that the host code embeds: a library
# whose one object it is. Also works on its own, without the rest of the package, which is how
# `cargo test` gets its kernels.
cmake_minimum_required(VERSION 3.27...4.4)
project(kernels LANGUAGES NONE)

set(image "${CMAKE_CURRENT_BINARY_DIR}/kernels.ptx")
add_custom_target(kernels_ptx ALL # ptx.cmake knows best what is out of date, so it is always asked
  COMMAND ${CMAKE_COMMAND} -D "BUILD=${CMAKE_CURRENT_BINARY_DIR}" -D "IMAGE=${image}"
    -P "${CMAKE_CURRENT_SOURCE_DIR}/ptx.cmake"
  BYPRODUCTS "${image}"
  VERBATIM)
add_library(kernels OBJECT IMPORTED GLOBAL)
set_target_properties(kernels PROPERTIES IMPORTED_OBJECTS "${image}")
add_dependencies(kernels kernels_ptx)
if(DEFINED ENV{KERNELS_CHECKED}) # on the CPU as well
  set_target_properties(kernels PROPERTIES CARGO_ENVIRONMENT CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS=true)
endif()

if(PROJECT_IS_TOP_LEVEL)
  install(FILES "${image}" DESTINATION . RENAME kernels.image)
  file(WRITE "${CMAKE_INSTALL_PREFIX}/cargo.txt"
    "cargo::rerun-if-env-changed=KERNELS_RUSTC\ncargo::rerun-if-env-changed=KERNELS_CHECKED\n")
endif()
