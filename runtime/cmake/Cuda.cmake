# The language CUDA and the targets of CUDAToolkit.
include_guard()

include(${CMAKE_CURRENT_LIST_DIR}/FindNvcc.cmake)

if(NOT DEFINED ENV{CUDACXX} AND NOT DEFINED CMAKE_CUDA_COMPILER)
  message(FATAL_ERROR "no nvcc found, which .cu files need. Set CUDA_HOME to a CUDA toolkit, or leave it unset and add "
    "\"cuda-toolkit[nvcc,cccl]==13.0.*\" to build.requires in pyproject.toml")
endif()
# CMake does not say how another one is chosen.
set(nvcc_named "${CMAKE_CUDA_COMPILER}")
if(NOT nvcc_named)
  set(nvcc_named "$ENV{CUDACXX}")
endif()
get_filename_component(nvcc_program "${nvcc_named}" PROGRAM PROGRAM_ARGS nvcc_arguments)
separate_arguments(nvcc_arguments)
set(nvcc_says "")
if(nvcc_program)
  execute_process(COMMAND "${nvcc_program}" ${nvcc_arguments} --version OUTPUT_VARIABLE nvcc_says ERROR_VARIABLE nvcc_says)
endif()
if(NOT nvcc_says MATCHES "Cuda compilation tools")
  string(REGEX MATCH "[^\n]*" nvcc_says "${nvcc_says}")
  message(FATAL_ERROR "no nvcc that runs, which .cu files need: ${nvcc_named} ${nvcc_says}\n"
    "Set CUDA_HOME to a CUDA toolkit, or leave CUDACXX, CUDA_HOME and CUDA_PATH unset to take the nvcc that pyproject.toml "
    "requires. To build for the CPU alone:\n"
    "  CUDA=OFF pip install .")
endif()
# before enable_language(), which would choose one itself, and looks at CUDAARCHS in a new build only
if(DEFINED ENV{CUDAARCHS})
  set(CMAKE_CUDA_ARCHITECTURES "$ENV{CUDAARCHS}" CACHE STRING "what the kernels are compiled for" FORCE)
elseif(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES all-major)
endif()
# The runtime is linked by its full path below: `Static` here would search for it by name.
set(CMAKE_CUDA_RUNTIME_LIBRARY None)

# The compiler and the headers of the C library, which nvcc takes from the system, may be newer than those it knows.
if(CMAKE_HOST_UNIX)
  ask_backend(host host "${nvcc_program}" ${CMAKE_CUDA_HOST_COMPILER})
  list(POP_FRONT host older_compiler hides)
  if(older_compiler)
    set(CMAKE_CUDA_HOST_COMPILER "${older_compiler}")
  endif()
  if(NOT DEFINED CACHE{CUVEC_HIDES_GLIBC})
    set(CUVEC_HIDES_GLIBC ${hides} CACHE INTERNAL "Whether nvcc does not know what glibc declares")
  endif()
  if(CUVEC_HIDES_GLIBC)
    if(NOT DEFINED CMAKE_CUDA_FLAGS)
      set(CMAKE_CUDA_FLAGS "$ENV{CUDAFLAGS}")
    endif()
    string(APPEND CMAKE_CUDA_FLAGS " -isystem \"${CMAKE_CURRENT_LIST_DIR}/glibc\"")
  endif()
endif()
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
