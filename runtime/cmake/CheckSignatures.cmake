# The program that reads the signatures of functions in CUDA C++, and starts their compilers.
#
# It does not depend on the package: like the core it is compiled once a machine, and taken from the user's cache.
include_guard()

include("${CMAKE_CURRENT_LIST_DIR}/Cache.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/LiteralPath.cmake")

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
    COMMAND ${cache_program} make "${CUVEC_CACHE}" check_signatures-${key} "${folder}" ""
      "$<TARGET_FILE:cuvec_check_signatures>=check_signatures${CMAKE_EXECUTABLE_SUFFIX}" --
    DEPENDS cuvec_check_signatures VERBATIM)
endfunction()
