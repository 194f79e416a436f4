# Makes the target `kernels`: the functions that the files of a folder declare, and the list of them.
#
# With CUDA, nvcc compiles the files for the GPU and the CPU; without, the C++ compiler does for the
# CPU. A new file is seen by the next build, and nothing else lists it.
include_guard()

enable_language(CXX)
include(${CMAKE_CURRENT_LIST_DIR}/Cuda.cmake)

set(KERNELS "${PROJECT_SOURCE_DIR}/kernels" CACHE PATH "The folder with the functions of the package")
cmake_path(ABSOLUTE_PATH KERNELS BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" NORMALIZE)
file(GLOB kernel_files CONFIGURE_DEPENDS "${KERNELS}/*.cu")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${kernel_files})

# Fails for what compiles and links, and is wrong all the same.
function(check_kernels)
  set(seen "")
  foreach(file IN LISTS ARGN)
    cmake_path(GET file STEM name)
    file(READ "${file}" text)
    if(NOT text MATCHES "CUVEC_EXPORT\\(${name}\\)")
      message(FATAL_ERROR "kernels/${name}.cu exports no function `${name}`. "
        "End it with: CUVEC_EXPORT(${name});\n"
        "Code that several functions share belongs into a header, kernels/${name}.cuh")
    endif()
    # Two templates of one name would be linked to one, without a word.
    string(REGEX MATCHALL "__global__[^;{(]*(\\([^)]*\\))?[^;{(]*[ \t\n*&]([A-Za-z_][A-Za-z_0-9]*)[ \t\n]*\\(" heads "${text}")
    foreach(head IN LISTS heads)
      string(REGEX REPLACE ".*[^A-Za-z_0-9]([A-Za-z_][A-Za-z_0-9]*)[ \t\n]*\\($" "\\1" kernel "${head}")
      if(kernel STREQUAL "__launch_bounds__")
        continue()
      endif()
      if(DEFINED file_of_${kernel} AND NOT file_of_${kernel} STREQUAL name)
        message(FATAL_ERROR "the kernel `${kernel}` is in kernels/${file_of_${kernel}}.cu and in kernels/${name}.cu. "
          "Rename one of them, for instance to `${name}_${kernel}`")
      endif()
      set(file_of_${kernel} ${name})
    endforeach()
  endforeach()
endfunction()
check_kernels(${kernel_files})

set(declarations "")
set(rows "")
foreach(file IN LISTS kernel_files)
  cmake_path(GET file STEM name)
  string(APPEND declarations "extern const cuvec_function cuvec_function_${name};\n")
  string(APPEND rows "    &cuvec_function_${name},\n")
endforeach()
file(CONFIGURE OUTPUT functions.cpp @ONLY CONTENT [[
// The functions of the package, written by the build.
#include <cuvec/abi.h>

extern "C" {
@declarations@
const cuvec_function *const cuvec_functions[] = {
@rows@    nullptr,
};
}
]])

add_library(kernels STATIC "${CMAKE_CURRENT_BINARY_DIR}/functions.cpp" ${kernel_files})
target_include_directories(kernels PUBLIC "${CMAKE_CURRENT_LIST_DIR}/../native/include")
set_target_properties(kernels PROPERTIES
  POSITION_INDEPENDENT_CODE ON
  CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON
  CUDA_STANDARD 17 CUDA_STANDARD_REQUIRED ON
  # Two packages in one process have templates of the same names.
  CXX_VISIBILITY_PRESET hidden CUDA_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
  INTERPROCEDURAL_OPTIMIZATION OFF # of nvcc that is another thing
  # It does not know what nvcc compiles, and the list is nobody's to mend.
  CXX_CLANG_TIDY "")
if(CUDA)
  target_link_libraries(kernels PUBLIC CUDA::cudart_static)
  target_compile_options(kernels PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-Wno-deprecated-gpu-targets>)
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13) # a fifth of the size
    target_compile_options(kernels PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--compress-mode=size>)
  endif()
  set(changed "${CMAKE_CURRENT_BINARY_DIR}/architectures-changed")
  file(TOUCH "${changed}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${changed}")
  add_custom_target(architectures
    COMMAND ${CMAKE_COMMAND} "-DBUILT=${CMAKE_CUDA_ARCHITECTURES}" "-DCHANGED=${changed}"
      -P "${CMAKE_CURRENT_LIST_DIR}/CheckArchitectures.cmake"
    VERBATIM)
  add_dependencies(kernels architectures)
  if(NOT MSVC) # a * x + y in two roundings on every machine, also where the CPU could do it in one
    target_compile_options(kernels PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-ffp-contract=off>)
  endif()
else()
  set_source_files_properties(${kernel_files} PROPERTIES LANGUAGE CXX)
  if(MSVC)
    set_source_files_properties(${kernel_files} PROPERTIES COMPILE_OPTIONS /TP)
  else()
    set_source_files_properties(${kernel_files} PROPERTIES COMPILE_OPTIONS "-xc++;-ffp-contract=off")
  endif()
endif()
option(STRICT "Turn warnings on, and into errors" OFF)
if(STRICT AND NOT MSVC)
  target_compile_options(kernels PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Werror>
    $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings;-Xcompiler=-Wall,-Wextra,-Werror>)
endif()

# The stub of the functions, for type checkers. A program that is linked with them writes it.
add_executable(stub "${CMAKE_CURRENT_LIST_DIR}/../native/stub/stub.cpp")
target_link_libraries(stub PRIVATE kernels)
target_compile_features(stub PRIVATE cxx_std_17)
add_custom_command(
  OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/functions.pyi"
  COMMAND stub "${CMAKE_CURRENT_BINARY_DIR}/functions.pyi"
  DEPENDS stub VERBATIM)
add_custom_target(functions_stub ALL DEPENDS "${CMAKE_CURRENT_BINARY_DIR}/functions.pyi")
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/functions.pyi" DESTINATION .)
