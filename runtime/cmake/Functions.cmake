# Makes the library `_functions`: what the files of a folder declare, `.cu` and `.rs` side by side, behind the one
# symbol `cuvec_functions` of cuvec/abi.h. A new file is seen by the next build, and nothing else lists it.
#
# FUNCTIONS_LIBRARIES are static libraries that it gets besides.
include_guard()

include("${CMAKE_CURRENT_LIST_DIR}/Backend.cmake")

set(KERNELS "${PROJECT_SOURCE_DIR}/kernels" CACHE PATH "The folder with the functions of the package")
cmake_path(ABSOLUTE_PATH KERNELS BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" NORMALIZE)
cmake_path(SET RUNTIME NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/..")

if(APPLE)
  set(cuda_default OFF) # there is no CUDA for macOS
else()
  set(cuda_default ON)
endif()
option(CUDA "Build the code for GPUs; without it the package works on the CPU alone" ${cuda_default})
option(STRICT "Turn warnings on, and into errors" OFF)
option(DEBUG "Check the indices of views in kernels in CUDA C++" OFF)
set(DEBUG_KERNELS "none" CACHE STRING "lineinfo: kernels in CUDA C++ know their lines; full: for cuda-gdb, without optimization")
if(NOT DEBUG_KERNELS MATCHES "^(none|lineinfo|full)$")
  message(FATAL_ERROR "DEBUG_KERNELS is `${DEBUG_KERNELS}`, but must be none, lineinfo or full")
endif()
if(NOT CUDA)
  message(STATUS "CUDA is OFF: this package will work on the CPU alone")
endif()

string(REGEX REPLACE "([][*?])" "[\\1]" folder "${KERNELS}") # as a pattern says these
file(GLOB cuda_files CONFIGURE_DEPENDS "${folder}/*.cu")
file(GLOB rust_files CONFIGURE_DEPENDS "${folder}/*.rs")
if(NOT cuda_files AND NOT rust_files)
  message(FATAL_ERROR "there is no function in ${KERNELS}: a file NAME.cu or NAME.rs declares one. "
    "To add one: cuvec-new add NAME")
endif()

# The names of functions, each once. In Rust, lib.rs is what the others share.
set(cuda_functions "")
set(rust_functions "")
foreach(file IN LISTS cuda_files)
  cmake_path(GET file STEM LAST_ONLY name)
  list(APPEND cuda_functions "${name}")
endforeach()
foreach(file IN LISTS rust_files)
  cmake_path(GET file STEM LAST_ONLY name)
  if(name IN_LIST cuda_functions)
    message(FATAL_ERROR "kernels/${name}.cu and kernels/${name}.rs declare the same function. Delete one of them")
  elseif(NOT name STREQUAL "lib")
    list(APPEND rust_functions "${name}")
  endif()
endforeach()
foreach(name IN LISTS cuda_functions rust_functions)
  if(NOT name MATCHES "^[A-Za-z_][A-Za-z_0-9]*$")
    message(FATAL_ERROR "`${name}` is not a name of a function: rename its file in ${KERNELS}, "
      "with letters, digits and underscores")
  endif()
endforeach()

enable_language(C)
if(cuda_functions)
  if(NOT WIN32 AND NOT CMAKE_CXX_COMPILER AND "$ENV{CXX}" STREQUAL "")
    find_program(cxx NAMES c++ CC g++ aCC cl bcc xlC icpx icx clang++ NO_CACHE) # as CMake looks for it
    if(NOT cxx)
      message(FATAL_ERROR "no C++ compiler found, which .cu files need. Install one, for instance: apt install g++")
    endif()
  endif()
  enable_language(CXX)
  if(CUDA) # before the library is made, which takes its architectures from it
    include("${CMAKE_CURRENT_LIST_DIR}/Cuda.cmake")
  endif()
endif()
set(declarations "")
set(rows "")
set(count 0)
foreach(name IN LISTS cuda_functions)
  string(APPEND declarations "extern const cuvec_function cuvec_function_${name};\n")
  string(APPEND rows "    &cuvec_function_${name},\n")
  math(EXPR count "${count} + 1")
endforeach()
string(APPEND rows "    NULL,\n")
set(driver 0)
set(next NULL)
if(rust_functions)
  string(APPEND declarations "const cuvec_library *cuvec_rust_functions(void);\n")
  set(next cuvec_rust_functions)
endif()

add_library(cuvec_functions MODULE "${CMAKE_CURRENT_BINARY_DIR}/functions.c")
target_include_directories(cuvec_functions PRIVATE "${RUNTIME}/include")
set_target_properties(cuvec_functions PROPERTIES
  OUTPUT_NAME _functions # a module of src/ may have that name
  PREFIX "" # it is no library to link with
  POSITION_INDEPENDENT_CODE ON
  C_STANDARD 11 C_STANDARD_REQUIRED ON
  C_VISIBILITY_PRESET hidden
  C_CLANG_TIDY "" # the list is nobody's to fix
  INTERPROCEDURAL_OPTIMIZATION OFF) # of nvcc that is another thing
if(cuda_functions)
  include("${CMAKE_CURRENT_LIST_DIR}/FunctionsInCuda.cmake")
endif()
if(rust_functions)
  include("${CMAKE_CURRENT_LIST_DIR}/Cargo.cmake")
  # Cargo makes a static library of their crate, with the PTX of their kernels in it.
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
    # Errors of a kernel name its file in kernels/, wherever that is while building.
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
  # Libraries that Rust's standard library needs.
  if(WIN32)
    target_link_libraries(cuvec_functions PRIVATE kernel32 ntdll userenv ws2_32 dbghelp)
  elseif(NOT APPLE)
    target_link_libraries(cuvec_functions PRIVATE m gcc_s)
  endif()
endif()
if(UNIX AND NOT APPLE)
  # A missing symbol is an error of the build, not of the first import; symbols of the libraries in it are hidden.
  target_link_options(cuvec_functions PRIVATE LINKER:--no-undefined LINKER:--gc-sections LINKER:--exclude-libs,ALL)
  if(NOT DEBUG_KERNELS STREQUAL "full")
    target_link_options(cuvec_functions PRIVATE LINKER:-s)
  endif()
elseif(APPLE)
  target_link_options(cuvec_functions PRIVATE LINKER:-undefined,error LINKER:-dead_strip)
endif()
# No wheel is made with a function that lacks code for a GPU that the build is for: it would fail on that GPU, in its first call.
# `doctor` says the same of a wheel that is there. An editable install is built after every edit, and for this machine alone.
if(CUDA AND SKBUILD_STATE STREQUAL "wheel")
  add_custom_command(TARGET cuvec_functions POST_BUILD COMMAND ${cuvec_backend} code $<TARGET_FILE:cuvec_functions> VERBATIM)
endif()

file(CONFIGURE OUTPUT functions.c @ONLY CONTENT [[
/* The functions of the package, written by the build. */
#include <cuvec/abi.h>

@declarations@
#ifdef _WIN32
__declspec(dllexport)
#else
__attribute__((visibility("default")))
#endif
const cuvec_library *cuvec_functions(void) {
  static const cuvec_function *const functions[] = {
@rows@  };
  static const cuvec_library library = {
      CUVEC_ABI, @driver@, @count@, 0, functions, NULL, NULL, @next@};
  return &library;
}
]])
