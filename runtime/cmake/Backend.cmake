# Questions of CMake to the build backend, backend/cuvec_build/for_cmake.py. A build works with copies of files in the user's cache.
include_guard()

# The build backend finds the folder. Elsewhere there is one if the variable names it.
set(CUVEC_CACHE "$ENV{CUVEC_CACHE}" CACHE STRING "The folder of the cache; 0: none")
if(CUVEC_CACHE)
  cmake_path(ABSOLUTE_PATH CUVEC_CACHE BASE_DIRECTORY "${CMAKE_SOURCE_DIR}")
endif()
find_package(Python REQUIRED COMPONENTS Interpreter)
set(cuvec_backend "${Python_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/../backend/cuvec_build/for_cmake.py")

# ask_backend(<result> <verb> <argument>…)
#
# Sets a list of the lines that the backend prints. Its errors end the build, in its words.
function(ask_backend result)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "")
  execute_process(COMMAND ${cuvec_backend} ${arg_UNPARSED_ARGUMENTS}
    RESULT_VARIABLE status OUTPUT_VARIABLE answer ERROR_VARIABLE said)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${said}")
  elseif(said)
    message(NOTICE "${said}")
  endif()
  set(${result} "${answer}" PARENT_SCOPE)
endfunction()

# cache_key(<result> <text> <crate of the runtime>…)
#
# A name for what decides what a compiler makes: the text, which names it with its flags, and all files of the crates and of those
# that they depend on. An edit of one configures again.
function(cache_key result text)
  ask_backend(files key "${RUNTIME}" "${text}" ${ARGN})
  list(POP_FRONT files key)
  list(TRANSFORM files PREPEND "${RUNTIME}/")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  set(${result} ${key} PARENT_SCOPE)
endfunction()

# cache_take(<entry> <folder> <result>)
#
# TRUE if the folder, of this build, has what the entry holds; it is copied if the cache has it. The list of its files comes last.
function(cache_take name folder result)
  set(${result} TRUE PARENT_SCOPE)
  if(NOT EXISTS "${folder}/files.json")
    execute_process(COMMAND ${cuvec_backend} take "${CUVEC_CACHE}" "${name}" "${folder}" RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
      set(${result} FALSE PARENT_SCOPE)
    endif()
  endif()
endfunction()
