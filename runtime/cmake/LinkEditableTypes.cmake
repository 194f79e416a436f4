# cmake -D SOURCE=<the package> -D RUNTIME=<its runtime> -D CMAKE_INSTALL_PREFIX=<its installed cuvec> -P LinkEditableTypes.cmake
include("${CMAKE_CURRENT_LIST_DIR}/LiteralPath.cmake")

cmake_path(GET CMAKE_INSTALL_PREFIX PARENT_PATH installed)
cmake_path(GET installed FILENAME module)
set(types "${SOURCE}/build/types/${module}")
file(REMOVE_RECURSE "${types}")

# link_files(<folder> <to> <pattern>…): those below a folder, in Python or as stubs
function(link_files folder to)
  cmake_path(SET folder NORMALIZE "${folder}")
  literal_path("${folder}" literal)
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
