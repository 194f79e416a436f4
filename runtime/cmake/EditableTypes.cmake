# An editable install imports a package from several folders, which type checkers and editors do not put together. They
# get one: build/types, with links to the Python files, and what the build has written. The build backend names it to them.
#
# It includes itself when the package is installed, after SOURCE, the package, and RUNTIME are set.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  if(SKBUILD_STATE STREQUAL "editable")
    install(CODE "set(SOURCE \"${CMAKE_SOURCE_DIR}\")\nset(RUNTIME \"${RUNTIME}\")")
    install(SCRIPT "${CMAKE_CURRENT_LIST_FILE}")
  endif()
  return()
endif()

cmake_path(GET CMAKE_INSTALL_PREFIX PARENT_PATH installed)
cmake_path(GET installed FILENAME module)
set(types "${SOURCE}/build/types/${module}")
file(REMOVE_RECURSE "${types}")

# link_files(<folder> <to> <pattern>…): those below a folder, in Python or as stubs
function(link_files folder to)
  cmake_path(SET folder NORMALIZE "${folder}")
  string(REGEX REPLACE "([][*?])" "[\\1]" literal "${folder}") # a path may hold what a pattern means otherwise
  list(TRANSFORM ARGN PREPEND "${literal}/")
  file(GLOB_RECURSE files RELATIVE "${folder}" ${ARGN})
  foreach(file IN LISTS files)
    cmake_path(GET file PARENT_PATH parent)
    file(MAKE_DIRECTORY "${to}/${parent}")
    file(CREATE_LINK "${folder}/${file}" "${to}/${file}" SYMBOLIC COPY_ON_ERROR)
  endforeach()
endfunction()

link_files("${SOURCE}/python/${module}" "${types}" *.py *.pyi)
link_files("${RUNTIME}/cuvec" "${types}/cuvec" *.py *.pyi)
link_files("${RUNTIME}/dask" "${types}/dask" *.py *.pyi)
# The build's own are copied: without editable.rebuild their folder is gone after it.
file(COPY "${installed}/" DESTINATION "${types}" FILES_MATCHING PATTERN *.py PATTERN *.pyi PATTERN py.typed)
