# Builds the extension module: nvcc compiles the kernels and their launches, the C++ compiler
# everything else.
cmake_minimum_required(VERSION 3.27...4.4)
project(${SKBUILD_PROJECT_NAME} LANGUAGES CXX)

include(cmake/Cuda.cmake)
include(cmake/Strict.cmake)
add_subdirectory(host)
include(cmake/module.cmake)
