# Adds the files in CUDA C++ to `_functions`.
#
# With CUDA, nvcc compiles them for the GPU and the CPU; without, the C++ compiler does for the CPU.
include_guard()

include("${CMAKE_CURRENT_LIST_DIR}/CudaTarget.cmake")

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${cuda_files})

# Fails for what compiles and links, and is wrong all the same.
function(check_kernels)
  foreach(file IN LISTS ARGN)
    cmake_path(GET file STEM LAST_ONLY name)
    file(READ "${file}" text)
    if(NOT text MATCHES "CUVEC_(EXPORT|CLASS)\\(${name}\\)")
      message(FATAL_ERROR "kernels/${name}.cu exports no function `${name}`. "
        "End it with: CUVEC_EXPORT(${name}); or, if it is a class: CUVEC_CLASS(${name});\n"
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
check_kernels(${cuda_files})

# Before compilers, whose messages are longer.
function(check_signatures)
  add_executable(check_signatures EXCLUDE_FROM_ALL "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/check_signatures.cpp")
  target_include_directories(check_signatures PRIVATE "${RUNTIME}/include")
  set_target_properties(check_signatures PROPERTIES CXX_STANDARD 17 LINK_LIBRARIES "" CXX_CLANG_TIDY "")
  set(stamp "${CMAKE_CURRENT_BINARY_DIR}/signatures-checked")
  add_custom_command(OUTPUT "${stamp}"
    COMMAND check_signatures ${cuda_files}
    COMMAND ${CMAKE_COMMAND} -E touch "${stamp}"
    DEPENDS check_signatures ${cuda_files} VERBATIM)
  add_custom_target(signatures DEPENDS "${stamp}")
  add_dependencies(_functions signatures)
endfunction()
if(NOT CMAKE_CROSSCOMPILING)
  check_signatures()
endif()

target_sources(_functions PRIVATE ${cuda_files})
cuda_target(_functions)
set_target_properties(_functions PROPERTIES
  LINKER_LANGUAGE CXX
  CXX_STANDARD 17 CXX_EXTENSIONS OFF) # of which one is a macro `linux`
if(CUDA)
  math(EXPR driver "1000 * ${CUDAToolkit_VERSION_MAJOR}")
  target_link_libraries(_functions PRIVATE CUDA::cudart_static)
  # For two GPUs at a time: one edited kernel is all that Ninja has to do.
  target_compile_options(_functions PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--threads=2>)
  set(changed "${CMAKE_CURRENT_BINARY_DIR}/architectures-changed")
  file(TOUCH "${changed}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${changed}")
  add_custom_target(architectures
    COMMAND ${CMAKE_COMMAND} "-DBUILT=${CMAKE_CUDA_ARCHITECTURES}" "-DCHANGED=${changed}"
      -P "${CMAKE_CURRENT_LIST_DIR}/CheckArchitectures.cmake"
    VERBATIM)
  add_dependencies(_functions architectures)
  if(NOT MSVC) # a * x + y in two roundings on every machine, also where the CPU could do it in one
    target_compile_options(_functions PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-ffp-contract=off>)
  endif()
else()
  set_source_files_properties(${cuda_files} PROPERTIES LANGUAGE CXX)
  if(MSVC)
    set_source_files_properties(${cuda_files} PROPERTIES COMPILE_OPTIONS /TP)
  else()
    set_source_files_properties(${cuda_files} PROPERTIES COMPILE_OPTIONS "-xc++;-ffp-contract=off")
  endif()
endif()
