# Builds the extension module: Kernels.cmake makes the functions of the package, cargo the rest.
set(NATIVE "${CMAKE_CURRENT_LIST_DIR}/../native")
cmake_path(NORMAL_PATH NATIVE)

include(${CMAKE_CURRENT_LIST_DIR}/Kernels.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/KernelsForCargo.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/Cargo.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/Bridge.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/Stub.cmake OPTIONAL) # where Kernels.cmake does not make the stub: it takes cargo
include(${CMAKE_CURRENT_LIST_DIR}/Sbom.cmake)
