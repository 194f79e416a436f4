# Adds the files in CUDA C++ to `_functions`.
#
# With CUDA, nvcc compiles them for the GPU and the CPU; without, the C++ compiler does for the CPU.
include_guard()

include("${CMAKE_CURRENT_LIST_DIR}/Backend.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/Targets.cmake")

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${cuda_files})

# The program that reads the signatures, and starts the compilers. It does not depend on the package: like the core it is compiled
# once a machine, and taken from the user's cache.
#
# check_signatures_program(<result>)
#
# Its path, for commands to depend on. It is the same whether it is there or not: with another one, all that it starts a
# compiler for would be compiled again.
function(check_signatures_program result)
  literal_path("${RUNTIME}" runtime)
  file(GLOB sources RELATIVE "${RUNTIME}" "${runtime}/cmake/*.cpp" "${runtime}/cmake/*.h" "${runtime}/include/cuvec/*.h")
  set(compiler "${CMAKE_CXX_COMPILER} ${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_SYSTEM_PROCESSOR}")
  cache_key(key "${compiler} ${CMAKE_CXX_FLAGS} ${CMAKE_EXE_LINKER_FLAGS}" "${RUNTIME}" ${sources})
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/check_signatures-${key}")
  set(program "${folder}/check_signatures${CMAKE_EXECUTABLE_SUFFIX}")
  set(${result} "${program}" PARENT_SCOPE)
  cache_take(check_signatures-${key} "${folder}" is_there)
  if(is_there)
    return()
  endif()
  add_executable(cuvec_check_signatures EXCLUDE_FROM_ALL "${RUNTIME}/cmake/check_signatures.cpp")
  target_include_directories(cuvec_check_signatures PRIVATE "${RUNTIME}/include")
  set_target_properties(cuvec_check_signatures PROPERTIES CXX_STANDARD 17 LINK_LIBRARIES "" CXX_CLANG_TIDY "")
  if(NOT MSVC) # its work is nothing beside its compilation
    target_compile_options(cuvec_check_signatures PRIVATE -O0)
  endif()
  add_custom_command(OUTPUT "${program}"
    COMMAND ${cuvec_backend} make "${CUVEC_CACHE}" check_signatures-${key} "${folder}" ""
      "$<TARGET_FILE:cuvec_check_signatures>=check_signatures${CMAKE_EXECUTABLE_SUFFIX}" --
    DEPENDS cuvec_check_signatures VERBATIM)
endfunction()

ask_backend(checked check-cuda ${cuda_files})

# Before compilers, whose messages are longer.
set(checks "")
if(NOT CMAKE_CROSSCOMPILING)
  check_signatures_program(check_signatures)
  set(stamp "${CMAKE_CURRENT_BINARY_DIR}/signatures-checked")
  add_custom_command(OUTPUT "${stamp}"
    COMMAND "${check_signatures}" ${cuda_files}
    COMMAND ${CMAKE_COMMAND} -E touch "${stamp}"
    DEPENDS "${check_signatures}" ${cuda_files}
    COMMENT "Checking signatures" VERBATIM)
  add_custom_target(cuvec_signatures DEPENDS "${stamp}")
  set(checks cuvec_signatures)
endif()

# The library that has the functions of some files. What the C++ compiler makes has no code for GPUs.
function(compile_functions target)
  cuda_target(${target})
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF) # of which one is a macro `linux`
  add_dependencies(${target} ${checks})
  if(check_signatures AND NOT WIN32) # which says in a line what is wrong with a body
    foreach(language IN ITEMS CXX CUDA)
      set_property(TARGET ${target} PROPERTY ${language}_COMPILER_LAUNCHER
        "${check_signatures}" --compile ${CMAKE_${language}_COMPILER_LAUNCHER})
    endforeach()
  endif()
  if(CUDA)
    # For two GPUs at a time: one edited kernel is all that Ninja has to do.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--threads=2>)
    if(NOT MSVC) # a * x + y in two roundings on every machine, also where the CPU could do it in one
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-ffp-contract=off>)
    endif()
  endif()
endfunction()
function(compile_without_gpus)
  set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CXX)
  if(MSVC)
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS /TP)
  else()
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "-xc++;-ffp-contract=off")
  endif()
endfunction()

if(CUDA)
  math(EXPR driver "1000 * ${CUDAToolkit_VERSION_MAJOR}")
  target_link_libraries(cuvec_functions PRIVATE CUDA::cudart_static)
  set(changed "${CMAKE_CURRENT_BINARY_DIR}/architectures-changed")
  file(TOUCH "${changed}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${changed}")
  add_custom_target(cuvec_architectures
    COMMAND ${cuvec_backend} architectures "${CMAKE_CUDA_ARCHITECTURES}" "${changed}"
    COMMENT "Checking architectures" VERBATIM)
  list(APPEND checks cuvec_architectures)
else()
  compile_without_gpus(${cuda_files})
endif()
compile_functions(cuvec_functions)
set_target_properties(cuvec_functions PROPERTIES LINKER_LANGUAGE CXX)

# A function that declares GPUs is compiled for these alone, as all of a target is.
set(build none none none)
if(CUDA)
  set(architectures "${CMAKE_CUDA_ARCHITECTURES}")
  if(architectures STREQUAL "native")
    set(architectures "${CMAKE_CUDA_ARCHITECTURES_NATIVE}")
  endif()
  list(JOIN architectures "," architectures)
  set(build "${architectures}" "${CMAKE_CUDA_COMPILER}" "${CMAKE_CUDA_COMPILER_VERSION}")
endif()
ask_backend(gpus gpus ${build} ${cuda_files})
foreach(file IN LISTS cuda_files)
  list(POP_FRONT gpus declared compiled_for architectures)
  string(REPLACE "," ";" architectures "${architectures}")
  set(definitions "CUVEC_ARCHITECTURES=\"${declared}\"")
  set(sources "${file}")
  if(CUDA AND declared)
    list(APPEND definitions "CUVEC_COMPILED_FOR=\"${compiled_for}\"")
    cmake_path(GET file STEM LAST_ONLY name)
    message(STATUS "${name} is compiled for ${declared}; of these, this build has: ${compiled_for}")
    if(architectures)
      add_library(functions-${name} OBJECT "${file}")
      compile_functions(functions-${name})
      foreach(property IN ITEMS INCLUDE_DIRECTORIES COMPILE_DEFINITIONS) # and kernel_sources
        set_property(TARGET functions-${name} APPEND PROPERTY ${property} $<TARGET_PROPERTY:cuvec_functions,${property}>)
      endforeach()
      set_target_properties(functions-${name} PROPERTIES CUDA_ARCHITECTURES "${architectures}")
      set(sources $<TARGET_OBJECTS:functions-${name}>)
    else()
      compile_without_gpus("${file}")
    endif()
  endif()
  list(APPEND definitions "CUVEC_PROMISED=\"${compiled_for}\"")
  set_property(SOURCE "${file}" APPEND PROPERTY COMPILE_DEFINITIONS ${definitions})
  target_sources(cuvec_functions PRIVATE "${sources}")
endforeach()
