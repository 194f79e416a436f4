# Adds the files in CUDA C++ to `_functions`.
#
# With CUDA, nvcc compiles them for the GPU and the CPU; without, the C++ compiler does for the CPU.
include_guard()

include("${CMAKE_CURRENT_LIST_DIR}/Cargo.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/Targets.cmake")

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${cuda_files})

# build_program(<result>)
#
# The path of the program that reads declarations, and starts the compilers. It does not depend on the package: like the core it is
# compiled once a machine, and taken from the user's cache. The path is the same whether it is there or not: with another one, all
# that it starts a compiler for would be compiled again.
function(build_program result)
  cache_key(key "${RUSTC_VERSION} ${CARGO_HOST}" compile)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/compile-${key}")
  set(name "cuvec-compile${CMAKE_EXECUTABLE_SUFFIX}")
  set(${result} "${folder}/${name}" PARENT_SCOPE)
  cache_take(compile-${key} "${folder}" is_there)
  if(is_there)
    return()
  endif()
  set(CARGO_TARGET "${CARGO_HOST}")
  set(CARGO_PROFILE program)
  set(CARGO_TARGET_DIR "${CARGO_TARGET_DIR}-program") # so that it does not wait for the core
  cargo_command(command PACKAGE cuvec-compile)
  cargo_output(${name} built)
  add_custom_command(OUTPUT "${folder}/${name}"
    COMMAND ${cuvec_backend} make "${CUVEC_CACHE}" compile-${key} "${folder}" "" "${built}=${name}" -- ${command}
    COMMENT "Building the build program with cargo" VERBATIM)
endfunction()

ask_backend(checked check-cuda ${cuda_files})

# A header for each file, before compilers, whose messages are longer. One that would be the same is not written.
build_program(BUILD_PROGRAM)
set(declarations_folder "${CMAKE_CURRENT_BINARY_DIR}/declarations")
set(headers "")
foreach(file IN LISTS cuda_files)
  cmake_path(GET file STEM LAST_ONLY name)
  list(APPEND headers "${declarations_folder}/${name}.h")
  set_property(SOURCE "${file}" APPEND PROPERTY COMPILE_DEFINITIONS "CUVEC_SIGNATURES=\"${declarations_folder}/${name}.h\"")
endforeach()
set(stamp "${CMAKE_CURRENT_BINARY_DIR}/declarations-read")
add_custom_command(OUTPUT "${stamp}"
  COMMAND "${BUILD_PROGRAM}" read "${declarations_folder}" ${cuda_files}
  COMMAND ${CMAKE_COMMAND} -E touch "${stamp}"
  BYPRODUCTS ${headers}
  DEPENDS "${BUILD_PROGRAM}" ${cuda_files}
  COMMENT "Reading declarations" VERBATIM)
add_custom_target(cuvec_declarations DEPENDS "${stamp}")
set(checks cuvec_declarations)

# The library that has the functions of some files. What the C++ compiler makes has no code for GPUs.
function(compile_functions target)
  cuda_target(${target})
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF) # of which one is a macro `linux`
  add_dependencies(${target} ${checks})
  if(NOT WIN32) # it says in a line what is wrong with a body
    foreach(language IN ITEMS CXX CUDA)
      set_property(TARGET ${target} PROPERTY ${language}_COMPILER_LAUNCHER "${BUILD_PROGRAM}" run ${CMAKE_${language}_COMPILER_LAUNCHER})
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
