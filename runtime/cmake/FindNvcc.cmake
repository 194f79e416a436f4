# Points CMake at an nvcc before it looks for one itself. In this order:
#   1. CUDACXX or CMAKE_CUDA_COMPILER: taken as it is;
#   2. CUDA_HOME, CUDA_PATH or CUDAToolkit_ROOT: the toolkit there;
#   3. the PyPI package nvidia-cuda-nvcc of the Python that runs this build;
#   4. nvcc on PATH or in /usr/local/cuda.
# It leaves ENV{CUDACXX} unset if there is none. A variable that is empty is not set.
# The PyPI package is asked for through Python, never searched for on CMAKE_PREFIX_PATH,
# which would find the nvcc of another environment.
include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/Backend.cmake")

foreach(variable IN ITEMS CUDACXX CUDA_HOME CUDA_PATH CUDAToolkit_ROOT CUDAARCHS)
  if("$ENV{${variable}}" STREQUAL "")
    unset(ENV{${variable}})
  endif()
endforeach()

if(NOT DEFINED ENV{CUDACXX} AND NOT DEFINED CMAKE_CUDA_COMPILER)
  set(toolkit $ENV{CUDA_HOME} $ENV{CUDA_PATH} $ENV{CUDAToolkit_ROOT} ${CUDAToolkit_ROOT})
  if(toolkit)
    list(GET toolkit 0 toolkit)
    set(ENV{CUDACXX} "${toolkit}/bin/nvcc")
  else()
    ask_backend(nvcc installed nvidia-cuda-nvcc bin/nvcc bin/nvcc.exe)
    if(nvcc)
      list(GET nvcc 0 nvcc)
      set(ENV{CUDACXX} "${nvcc}")
    else()
      find_program(nvcc_on_path nvcc PATHS /usr/local/cuda/bin NO_CACHE)
      if(nvcc_on_path)
        set(ENV{CUDACXX} "${nvcc_on_path}")
      endif()
    endif()
  endif()
endif()

# nvcc 13.0 and 13.1 from PyPI do not look for libraries where their own are: CMake's trial programs have to be told.
if(DEFINED ENV{CUDACXX})
  cmake_path(SET nvcc NORMALIZE "$ENV{CUDACXX}")
  cmake_path(GET nvcc PARENT_PATH bin)
  cmake_path(GET bin PARENT_PATH toolkit)
  if(EXISTS "${toolkit}/lib/libcudart_static.a" AND NOT EXISTS "${toolkit}/lib64")
    set(ENV{LIBRARY_PATH} "${toolkit}/lib:$ENV{LIBRARY_PATH}")
  endif()
endif()
