# A script of the build: has COMMAND compile the core, and puts it into its folder of the cache, with the crates that were
# compiled for it and that src/ in Rust needs too. Another build that is at it is waited for: it leaves those crates to be
# taken. What is stored comes whole, should a build be stopped.
file(MAKE_DIRECTORY "${FOLDER}")
file(LOCK "${FOLDER}/lock" TIMEOUT 600 RESULT_VARIABLE locked) # where there are no locks both compile it
cmake_path(GET STUB FILENAME stub)

function(store from to)
  string(RANDOM LENGTH 16 random)
  set(new "${FOLDER}/${to}.${random}")
  if(IS_DIRECTORY "${from}") # without the crates of the runtime itself, which each package compiles where it is
    file(COPY "${from}/" DESTINATION "${new}" PATTERN "*cuvec*" EXCLUDE PATTERN "lib_core*" EXCLUDE)
  else()
    file(COPY_FILE "${from}" "${new}")
  endif()
  file(RENAME "${new}" "${FOLDER}/${to}" RESULT status)
  file(REMOVE_RECURSE "${new}") # if it was there
  if(NOT EXISTS "${FOLDER}/${to}")
    message(FATAL_ERROR "${FOLDER}/${to}: ${status}")
  endif()
endfunction()

if(NOT EXISTS "${FOLDER}/${stub}" OR NOT EXISTS "${FOLDER}/${AS}")
  execute_process(COMMAND ${COMMAND} COMMAND_ERROR_IS_FATAL ANY)
  cmake_path(GET CARGO PARENT_PATH build)
  cmake_path(IS_PREFIX build "${FOLDER}" not_cached)
  if(NOT not_cached)
    store("${CARGO}" cargo)
  endif()
  store("${STUB}" "${stub}")
  store("${MODULE}" "${AS}")
elseif(EXISTS "${FOLDER}/cargo" AND NOT EXISTS "${CARGO}")
  file(COPY "${FOLDER}/cargo/" DESTINATION "${CARGO}")
endif()
