# Adds the files in CUDA C++ to `_functions`.
#
# With CUDA, nvcc compiles them for the GPU and the CPU; without, the C++ compiler does for the CPU.
include_guard()

include("${CMAKE_CURRENT_LIST_DIR}/Architectures.cmake")
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

# Fails for what compiles and links, and is wrong all the same.
function(check_kernels)
  foreach(file IN LISTS ARGN)
    cmake_path(GET file STEM LAST_ONLY name)
    file(READ "${file}" text)
    if(NOT text MATCHES "CUVEC_(EXPORT|CLASS)\\(${name}\\)")
      if(text MATCHES "\nCUVEC_(EXPORT|CLASS)\\(([A-Za-z_0-9]+)\\)")
        set(other "${CMAKE_MATCH_2}")
        message(FATAL_ERROR "kernels/${name}.cu exports `${other}`, and no function `${name}`. The file, the struct and the signature "
          "have one name: rename the file to ${other}.cu, or `${other}` in it to `${name}`")
      endif()
      message(FATAL_ERROR "kernels/${name}.cu exports no function `${name}`. "
        "End it with: CUVEC_EXPORT(${name}); or, if it is a class: CUVEC_CLASS(${name});\n"
        "Code that several functions share belongs into a header, kernels/${name}.cuh")
    endif()
    string(REGEX MATCHALL "// adopt: " marks "${text}")
    list(LENGTH marks count)
    if(count)
      message(NOTICE "kernels/${name}.cu: ${count} marks `// adopt:` of what `cuvec-new adopt` could not know; settle and remove them")
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
    # And so would two functions that take enums of one name.
    string(REGEX MATCHALL "\nenum[ \t]+((class|struct)[ \t]+)?[A-Za-z_][A-Za-z_0-9]*" heads "${text}")
    foreach(head IN LISTS heads)
      string(REGEX REPLACE ".*[ \t]" "" enum "${head}")
      if(DEFINED file_of_enum_${enum} AND NOT file_of_enum_${enum} STREQUAL name)
        message(FATAL_ERROR "the enum `${enum}` is in kernels/${file_of_enum_${enum}}.cu and in kernels/${name}.cu. "
          "Rename one of them, for instance to `${name}_${enum}`, or move it into a header that both include")
      endif()
      set(file_of_enum_${enum} ${name})
    endforeach()
  endforeach()
endfunction()
check_kernels(${cuda_files})

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
if(CUDA)
  read_architectures()
endif()
foreach(file IN LISTS cuda_files)
  declared_architectures(declared "${file}")
  set(definitions "CUVEC_ARCHITECTURES=\"${declared}\"")
  set(compiled_for "${promised}")
  set(sources "${file}")
  if(CUDA AND declared)
    choose_architectures(architectures compiled_for "${declared}")
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
