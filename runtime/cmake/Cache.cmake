# The user's cache, by backend/cuvec_build/for_cmake.py. A build works with copies of what is in it.
include_guard()

# The build backend finds the folder. Elsewhere there is one if the variable names it.
set(CUVEC_CACHE "$ENV{CUVEC_CACHE}" CACHE STRING "The folder of the cache; 0: none")
if(CUVEC_CACHE)
  cmake_path(ABSOLUTE_PATH CUVEC_CACHE BASE_DIRECTORY "${CMAKE_SOURCE_DIR}")
endif()
if(NOT CMAKE_SCRIPT_MODE_FILE)
  find_package(Python REQUIRED COMPONENTS Interpreter)
elseif(NOT Python_EXECUTABLE)
  find_program(Python_EXECUTABLE NAMES python3 python REQUIRED)
endif()
set(cache_program "${Python_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/../backend/cuvec_build/for_cmake.py")

# cache_key(<result> <text> <folder> <file of the folder>…)
#
# A name for what decides what a compiler makes: the text, which names it with its flags, and the files. An edit of one configures again.
function(cache_key result text folder)
  execute_process(COMMAND ${cache_program} key "${folder}" "${text}" ${ARGN} OUTPUT_VARIABLE key COMMAND_ERROR_IS_FATAL ANY)
  list(TRANSFORM ARGN PREPEND "${folder}/")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN})
  set(${result} ${key} PARENT_SCOPE)
endfunction()

# cache_take(<entry> <folder> <result>)
#
# TRUE if the folder, of this build, has what the entry holds; it is copied if the cache has it. The list of its files comes last.
function(cache_take name folder result)
  set(${result} TRUE PARENT_SCOPE)
  if(NOT EXISTS "${folder}/files.json")
    execute_process(COMMAND ${cache_program} take "${CUVEC_CACHE}" "${name}" "${folder}" RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
      set(${result} FALSE PARENT_SCOPE)
    endif()
  endif()
endfunction()

# cache_store(<entry> <folder>)
function(cache_store name folder)
  execute_process(COMMAND ${cache_program} make "${CUVEC_CACHE}" "${name}" "${folder}" "" -- COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# literal_path(<path> <result>)
#
# The path in a pattern of file(GLOB), as for the files of a key: it may hold what a pattern means otherwise.
function(literal_path path result)
  string(REGEX REPLACE "([][*?])" "[\\1]" literal "${path}")
  set(${result} "${literal}" PARENT_SCOPE)
endfunction()
