# Builds the extension module: nvcc compiles the kernels, the C++ compiler everything else.
enable_language(CXX)

set(RUNTIME "${CMAKE_CURRENT_LIST_DIR}/..")
include(${CMAKE_CURRENT_LIST_DIR}/Cuda.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/Strict.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/Kernels.cmake)
add_subdirectory(${RUNTIME}/native/host ${CMAKE_CURRENT_BINARY_DIR}/host)
include(${CMAKE_CURRENT_LIST_DIR}/Bridge.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/Sbom.cmake)
