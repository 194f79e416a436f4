# Adds the files in Rust to `_functions`: cargo makes a static library of them, with the PTX of their kernels in it.
include_guard()

include("${CMAKE_CURRENT_LIST_DIR}/Cargo.cmake")

set(image none)
set(image_target)
if(CUDA)
  set(image "${CMAKE_CURRENT_BINARY_DIR}/kernels.ptx")
  set(image_target kernels_image)
  if("$ENV{KERNELS_CHECKED}" STREQUAL "")
    set(unchecked --unset=KERNELS_CHECKED) # a variable that is empty is not set
  endif()
  add_custom_target(kernels_image # CompilePtx.cmake knows best what is out of date, so it is always asked
    COMMAND ${CMAKE_COMMAND} -E env ${unchecked} ${CMAKE_COMMAND} -D "KERNELS=${KERNELS}" -D "BUILD=${CMAKE_CURRENT_BINARY_DIR}"
      -D "IMAGE=${image}" -P "${CMAKE_CURRENT_LIST_DIR}/CompilePtx.cmake"
    BYPRODUCTS "${image}"
    VERBATIM)
endif()

set(environment "KERNELS=${KERNELS}" "KERNELS_IMAGE=${image}")
if(NOT "$ENV{KERNELS_CHECKED}" STREQUAL "") # on the CPU as well
  list(APPEND environment CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS=true CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS=true)
endif()
cargo_target(rust_functions "${CMAKE_STATIC_LIBRARY_PREFIX}kernels${CMAKE_STATIC_LIBRARY_SUFFIX}" archive
  PACKAGE cuvec-kernels ARGUMENTS --lib
  # What goes wrong in a kernel says where: a file of kernels/, wherever that is while building.
  RENAMED "${KERNELS}=kernels"
  ENVIRONMENT ${environment})
if(image_target)
  add_dependencies(rust_functions ${image_target})
endif()
add_dependencies(_functions rust_functions)

find_package(Threads REQUIRED)
target_link_libraries(_functions PRIVATE "${archive}" Threads::Threads ${CMAKE_DL_LIBS})
set_property(TARGET _functions APPEND PROPERTY LINK_DEPENDS "${archive}")
# What Rust's standard library is made of.
if(WIN32)
  target_link_libraries(_functions PRIVATE kernel32 ntdll userenv ws2_32 dbghelp)
elseif(NOT APPLE)
  target_link_libraries(_functions PRIVATE m gcc_s)
endif()
