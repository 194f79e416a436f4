# The language CUDA and the targets of CUDAToolkit.
include_guard()

include(${CMAKE_CURRENT_LIST_DIR}/FindNvcc.cmake)
if(NOT DEFINED ENV{CUDACXX} AND NOT DEFINED CMAKE_CUDA_COMPILER)
  message(FATAL_ERROR "no nvcc found, which .cu files need. Set CUDA_HOME to a CUDA toolkit, or leave it unset and add "
    "\"cuda-toolkit[nvcc,cccl]==13.0.*\" to build.requires in pyproject.toml")
endif()
# before enable_language(), which would choose one itself, and looks at CUDAARCHS in a new build only
if(DEFINED ENV{CUDAARCHS})
  set(CMAKE_CUDA_ARCHITECTURES "$ENV{CUDAARCHS}" CACHE STRING "what the kernels are compiled for" FORCE)
elseif(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES all-major)
endif()
# The runtime is linked by its full path below: `Static` here would search for it by name.
set(CMAKE_CUDA_RUNTIME_LIBRARY None)
include(${CMAKE_CURRENT_LIST_DIR}/HostCompiler.cmake)
enable_language(CUDA)

# The toolkit from PyPI has no `libcudart.so`, only one with its version.
cmake_path(GET CMAKE_CUDA_COMPILER PARENT_PATH bin)
file(GLOB cudart "${bin}/../lib/libcudart.so.*")
if(cudart AND NOT DEFINED CUDA_CUDART)
  list(GET cudart 0 CUDA_CUDART)
  set(CUDA_cudart_LIBRARY "${CUDA_CUDART}") # for CUDA::cudart
endif()
find_package(CUDAToolkit REQUIRED)

# As CMake itself does for everything with code for GPUs, where it finds the runtime by name: libraries of others rely on it.
link_libraries(CUDA::cudart_static)
