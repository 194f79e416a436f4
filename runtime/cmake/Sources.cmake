# kernel_sources([<file>…] [INCLUDE <folder>…] [LIBRARIES <library>…] [SEPARABLE] [SYSTEM])
#
# Adds code that exists to the functions of kernels/, which then can call it:
#
#   <file>      .cu, .cpp and .c, or patterns such as lib/*.cu. Without CUDA no .cu file is read
#   INCLUDE     the folders of its headers
#   LIBRARIES   what it needs: targets of find_package and add_subdirectory, or files. A shared library that this build makes
#               goes into the wheel
#   SEPARABLE   code for GPUs may call code in other files, which nvcc calls -rdc=true
#   SYSTEM      it is the code of others: STRICT and clang-tidy leave it alone
#
# Paths are relative to the folder of the CMakeLists.txt.
include_guard()

include("${CMAKE_CURRENT_LIST_DIR}/Targets.cmake")

function(kernel_sources)
  cmake_parse_arguments(PARSE_ARGV 0 arg "SEPARABLE;SYSTEM" "" "INCLUDE;LIBRARIES")
  if(NOT cuda_functions)
    message(FATAL_ERROR "kernel_sources: no file kernels/NAME.cu calls these sources. To add one: cuvec-new add --kernels cu NAME")
  endif()
  find_sources(files ${arg_UNPARSED_ARGUMENTS})
  set(system "")
  if(arg_SYSTEM)
    set(system SYSTEM)
  endif()
  list(TRANSFORM arg_INCLUDE PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/" REGEX "^[^/$]")
  target_include_directories(cuvec_functions ${system} PRIVATE ${arg_INCLUDE})
  target_link_libraries(cuvec_functions PRIVATE ${arg_LIBRARIES})
  bundle_libraries(cuvec_functions . ${arg_LIBRARIES})
  if(arg_SEPARABLE AND CUDA)
    set_target_properties(cuvec_functions PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
  endif()
  if(NOT files)
    return()
  endif()
  string(SHA1 hash "${files}")
  string(SUBSTRING ${hash} 0 8 hash)
  set(sources "sources-${hash}")
  add_library(${sources} OBJECT ${files}) # and no archive, of which a linker takes what is called alone
  if(arg_SYSTEM)
    cuda_target(${sources} OTHERS)
  else()
    cuda_target(${sources})
  endif()
  target_compile_features(${sources} PRIVATE cxx_std_17)
  target_include_directories(${sources} ${system} PRIVATE ${arg_INCLUDE} "${RUNTIME}/include")
  target_link_libraries(${sources} PRIVATE ${arg_LIBRARIES})
  if(CUDA)
    target_link_libraries(${sources} PRIVATE CUDA::cudart_static)
    target_compile_definitions(${sources} PRIVATE CUVEC_CUDA)
    set_target_properties(${sources} PROPERTIES CUDA_SEPARABLE_COMPILATION ${arg_SEPARABLE})
  endif()
  target_link_libraries(cuvec_functions PRIVATE ${sources})
endfunction()

# The files that patterns stand for; those that nothing compiles without CUDA are left out.
function(find_sources result)
  set(files "")
  string(REGEX REPLACE "([][*?])" "[\\1]" folder "${CMAKE_CURRENT_SOURCE_DIR}") # a path may hold what a pattern means otherwise
  foreach(pattern IN LISTS ARGN)
    file(GLOB found CONFIGURE_DEPENDS "${folder}/${pattern}")
    if(NOT found)
      message(FATAL_ERROR "kernel_sources: there is no file ${pattern} in ${CMAKE_CURRENT_SOURCE_DIR}")
    endif()
    list(APPEND files ${found})
  endforeach()
  if(NOT CUDA)
    list(FILTER files EXCLUDE REGEX "\\.cu$")
  endif()
  set(${result} "${files}" PARENT_SCOPE)
endfunction()
