# Adds the files in Rust to `_functions`: cargo makes a static library of their crate, with the PTX of their kernels in it.
include_guard()

include("${CMAKE_CURRENT_LIST_DIR}/Backend.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/Cargo.cmake")

ask_backend(kernels_crate crate "${KERNELS}" "${CMAKE_CURRENT_BINARY_DIR}")

set(images none)
set(images_target)
if(CUDA)
  set(images "${CMAKE_CURRENT_BINARY_DIR}/ptx")
  set(images_target cuvec_images)
  set(image_files "${rust_functions}")
  list(TRANSFORM image_files PREPEND "${images}/")
  list(TRANSFORM image_files APPEND ".ptx")
  add_custom_target(cuvec_images # the backend knows best what is out of date, so it is always asked
    COMMAND ${CMAKE_COMMAND} -E env "CUVEC_CACHE=${CUVEC_CACHE}"
      ${cuvec_backend} ptx "${KERNELS}" "${CMAKE_CURRENT_BINARY_DIR}" "${images}" "${kernels_crate}"
    BYPRODUCTS ${image_files}
    COMMENT "Checking the PTX of kernels in Rust" VERBATIM)
endif()

set(environment "KERNELS=${KERNELS}" "KERNELS_IMAGES=${images}")
if(NOT "$ENV{KERNELS_CHECKED}" STREQUAL "") # on the CPU as well
  list(APPEND environment CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS=true CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS=true)
endif()
# In a folder of its own: where flags differ, cargo compiles crates again that others have in common with this one.
block(PROPAGATE archive)
set(CARGO_TARGET_DIR "${CARGO_TARGET_DIR}-kernels")
cargo_target(cuvec_rust_functions "${CMAKE_STATIC_LIBRARY_PREFIX}kernels${CMAKE_STATIC_LIBRARY_SUFFIX}" archive
  CRATE "${kernels_crate}" PACKAGE kernels ARGUMENTS --lib --config "${RUNTIME}/rust/profiles.toml"
  # What goes wrong in a kernel says where: a file of kernels/, wherever that is while building.
  RENAMED "${KERNELS}=kernels"
  ENVIRONMENT ${environment})
endblock()
if(images_target)
  add_dependencies(cuvec_rust_functions ${images_target})
endif()
add_dependencies(cuvec_functions cuvec_rust_functions)

find_package(Threads REQUIRED)
target_link_libraries(cuvec_functions PRIVATE "${archive}" Threads::Threads ${CMAKE_DL_LIBS})
set_property(TARGET cuvec_functions APPEND PROPERTY LINK_DEPENDS "${archive}")
# What Rust's standard library is made of.
if(WIN32)
  target_link_libraries(cuvec_functions PRIVATE kernel32 ntdll userenv ws2_32 dbghelp)
elseif(NOT APPLE)
  target_link_libraries(cuvec_functions PRIVATE m gcc_s)
endif()
