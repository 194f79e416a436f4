# The program that reads the signatures of functions in CUDA C++, and starts their compilers.
#
# It does not depend on the package: like the core it is compiled once a machine, and taken from the user's cache.
include_guard()

include("${CMAKE_CURRENT_LIST_DIR}/CacheFolder.cmake")

# One number for all that decides what the compiler makes.
function(check_signatures_key folder result)
  file(GLOB sources "${folder}/check_signatures.cpp" "${folder}/*.h" "${RUNTIME}/include/cuvec/*.h")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources})
  set(all "${CMAKE_CXX_COMPILER} ${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_SYSTEM_PROCESSOR} ${CMAKE_CXX_FLAGS} ${CMAKE_EXE_LINKER_FLAGS}")
  foreach(source IN LISTS sources)
    file(SHA256 "${source}" hash)
    cmake_path(GET source FILENAME name)
    string(APPEND all "\n${name} ${hash}")
  endforeach()
  execute_process(COMMAND ldd --version OUTPUT_VARIABLE libc ERROR_QUIET)
  string(SHA256 key "${all}\n${libc}")
  string(SUBSTRING ${key} 0 16 key)
  set(${result} ${key} PARENT_SCOPE)
endfunction()

# check_signatures_program(<result>)
#
# Its path, for commands to depend on. It is the same whether it is there or not: with another one, all that it starts a
# compiler for would be compiled again.
function(check_signatures_program result)
  set(folder "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
  cache_folder("${CMAKE_CURRENT_BINARY_DIR}" cache)
  check_signatures_key("${folder}" key)
  set(program "${cache}/check_signatures-${key}${CMAKE_EXECUTABLE_SUFFIX}")
  set(${result} "${program}" PARENT_SCOPE)
  if(EXISTS "${program}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${program}") # somebody may empty the cache
    return()
  endif()
  add_executable(check_signatures EXCLUDE_FROM_ALL "${folder}/check_signatures.cpp")
  target_include_directories(check_signatures PRIVATE "${RUNTIME}/include")
  set_target_properties(check_signatures PROPERTIES CXX_STANDARD 17 LINK_LIBRARIES "" CXX_CLANG_TIDY "")
  if(NOT MSVC) # its work is nothing beside its compilation
    target_compile_options(check_signatures PRIVATE -O0)
  endif()
  string(RANDOM LENGTH 16 random) # another build may be at it: it comes whole
  add_custom_command(OUTPUT "${program}"
    COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_FILE:check_signatures> "${program}.${random}"
    COMMAND ${CMAKE_COMMAND} -E rename "${program}.${random}" "${program}"
    DEPENDS check_signatures VERBATIM)
endfunction()
