# Builds a package that has no copy of the runtime: pip has installed this one for the build. pyproject.toml and Cargo.toml can
# only name files in the package, so what they name of a copy is done here.
cmake_path(SET RUNTIME NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/..")

# The crates of src/ and kernels/ are built in a folder of links, where the runtime is at the path of Cargo.toml.
set(CRATE "${CMAKE_CURRENT_BINARY_DIR}/crate")
file(REMOVE_RECURSE "${CRATE}")
file(GLOB files RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/*")
list(REMOVE_ITEM files build kernels)
file(MAKE_DIRECTORY "${CRATE}/build" "${CRATE}/kernels")
foreach(file IN ITEMS kernels/Cargo.toml kernels/Cargo.lock) # a link to the folder would lead out of this one by `..`
  if(EXISTS "${PROJECT_SOURCE_DIR}/${file}")
    list(APPEND files ${file})
  endif()
endforeach()
foreach(file IN LISTS files)
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${file}" "${CRATE}/${file}" SYMBOLIC)
endforeach()
file(CREATE_LINK "${RUNTIME}" "${CRATE}/build/cuvec_runtime" SYMBOLIC)

include("${CMAKE_CURRENT_LIST_DIR}/Package.cmake")

install(DIRECTORY "${RUNTIME}/cuvec/" DESTINATION . PATTERN __pycache__ EXCLUDE)
install(DIRECTORY "${RUNTIME}/dask" DESTINATION .. PATTERN __pycache__ EXCLUDE)
install(FILES "${RUNTIME}/LICENSE" DESTINATION "${SKBUILD_METADATA_DIR}/licenses/runtime")
