# An editable install imports a package from several folders, which type checkers and editors do not put together. They
# get one: build/types, with links to the Python files, and what the build has written. The build backend names it to them.
if(NOT SKBUILD_STATE STREQUAL "editable")
  return()
endif()

install(CODE "set(SOURCE \"${CMAKE_SOURCE_DIR}\")\nset(RUNTIME \"${RUNTIME}\")")
install(SCRIPT "${CMAKE_CURRENT_LIST_DIR}/LinkEditableTypes.cmake")
