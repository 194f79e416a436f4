# Makes the target `kernels`: the PTX of what the files of a folder declare, which the crate of this
# name embeds. It compiles the same files for the CPU. A new file is seen by the next build, and
# nothing else lists it.
include_guard()

if(APPLE)
  set(cuda_default OFF) # there is no CUDA for macOS
else()
  set(cuda_default ON)
endif()
option(CUDA "Build the kernels; without them the package works on the CPU alone" ${cuda_default})

set(KERNELS "${PROJECT_SOURCE_DIR}/kernels" CACHE PATH "The folder with the functions of the package")
cmake_path(ABSOLUTE_PATH KERNELS BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" NORMALIZE)

if(CUDA)
  set(KERNELS_IMAGE "${CMAKE_CURRENT_BINARY_DIR}/kernels.ptx")
  add_custom_target(kernels ALL # ptx.cmake knows best what is out of date, so it is always asked
    COMMAND ${CMAKE_COMMAND} -D "KERNELS=${KERNELS}" -D "BUILD=${CMAKE_CURRENT_BINARY_DIR}"
      -D "IMAGE=${KERNELS_IMAGE}" -P "${CMAKE_CURRENT_LIST_DIR}/ptx.cmake"
    BYPRODUCTS "${KERNELS_IMAGE}"
    VERBATIM)
else()
  message(STATUS "CUDA is OFF: this package will work on the CPU alone")
  add_custom_target(kernels)
endif()
