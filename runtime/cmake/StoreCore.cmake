# A script of the build: puts the core into its folder of the cache, and for src/ in Rust the crates that were compiled for
# it. Another build may be at it: each comes whole, and what is there stays.
file(MAKE_DIRECTORY "${FOLDER}")
cmake_path(GET STUB FILENAME stub)
function(store from to)
  string(RANDOM LENGTH 16 random)
  if(IS_DIRECTORY "${from}") # without the crates of the runtime itself, which each package compiles where it is
    file(COPY "${from}/" DESTINATION "${FOLDER}/${to}.${random}" PATTERN "*cuvec*" EXCLUDE PATTERN "lib_core*" EXCLUDE)
    set(no_replace "") # no folder takes the place of one that is there
  else()
    file(COPY_FILE "${from}" "${FOLDER}/${to}.${random}")
    set(no_replace NO_REPLACE)
  endif()
  file(RENAME "${FOLDER}/${to}.${random}" "${FOLDER}/${to}" ${no_replace} RESULT status)
  if(NOT status STREQUAL "0") # it was there
    file(REMOVE_RECURSE "${FOLDER}/${to}.${random}")
  endif()
  if(NOT EXISTS "${FOLDER}/${to}")
    message(FATAL_ERROR "${FOLDER}/${to}: ${status}")
  endif()
endfunction()
store("${CARGO}" cargo)
store("${STUB}" "${stub}")
store("${MODULE}" "${AS}")
