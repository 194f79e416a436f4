# A script of the build: puts the core into its folder of the cache. Another build may be at it: each file comes whole,
# and one that is there stays.
file(MAKE_DIRECTORY "${FOLDER}")
cmake_path(GET STUB FILENAME stub)
function(store from to)
  string(RANDOM LENGTH 16 random)
  file(COPY_FILE "${from}" "${FOLDER}/${to}.${random}")
  file(RENAME "${FOLDER}/${to}.${random}" "${FOLDER}/${to}" NO_REPLACE RESULT status)
  if(NOT status STREQUAL "0") # it was there
    file(REMOVE "${FOLDER}/${to}.${random}")
  endif()
  if(NOT EXISTS "${FOLDER}/${to}")
    message(FATAL_ERROR "${FOLDER}/${to}: ${status}")
  endif()
endfunction()
store("${STUB}" "${stub}")
store("${MODULE}" "${AS}")
