# Builds the extension module: kernels/ makes an image of the kernels, cargo everything else.
cmake_minimum_required(VERSION 3.27...4.4)
project(${SKBUILD_PROJECT_NAME} LANGUAGES NONE)

if(APPLE)
  set(cuda_default OFF) # there is no CUDA for macOS
else()
  set(cuda_default ON)
endif()
option(CUDA "Build the kernels; without them the package works on the CPU alone" ${cuda_default})
if(CUDA)
  add_subdirectory(kernels)
else()
  message(STATUS "CUDA is OFF: this package will work on the CPU alone")
endif()

include(cmake/Cargo.cmake)
include(cmake/module.cmake)
