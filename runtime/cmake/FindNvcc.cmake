# Points CMake at an nvcc before it looks for one itself. In this order:
#   1. CUDACXX or CMAKE_CUDA_COMPILER: taken as it is;
#   2. CUDA_HOME, CUDA_PATH or CUDAToolkit_ROOT: the toolkit there;
#   3. the PyPI package nvidia-cuda-nvcc of the Python that runs this build;
#   4. nvcc on PATH or in /usr/local/cuda.
# It leaves ENV{CUDACXX} unset if there is none. A variable that is empty is not set.
# The PyPI package is asked for through Python, never searched for on CMAKE_PREFIX_PATH,
# which would find the nvcc of another environment.
include_guard(GLOBAL)

foreach(variable IN ITEMS CUDACXX CUDA_HOME CUDA_PATH CUDAToolkit_ROOT CUDAARCHS)
  if("$ENV{${variable}}" STREQUAL "")
    unset(ENV{${variable}})
  endif()
endforeach()

function(find_nvcc_of_python result)
  set(${result} "" PARENT_SCOPE)
  find_package(Python COMPONENTS Interpreter QUIET)
  if(NOT Python_Interpreter_FOUND)
    return()
  endif()
  set(locate [[
from importlib.metadata import PackageNotFoundError, files
try:
    found = [f for f in files("nvidia-cuda-nvcc") or () if f.stem == "nvcc" and f.parent.name == "bin"]
except PackageNotFoundError:
    found = []
print(*(f.locate() for f in found if f.suffix in ("", ".exe")), sep=";", end="")
]])
  execute_process(COMMAND ${Python_EXECUTABLE} -c "${locate}" OUTPUT_VARIABLE nvcc COMMAND_ERROR_IS_FATAL ANY)
  if(nvcc)
    list(GET nvcc 0 nvcc)
    cmake_path(NORMAL_PATH nvcc)
    set(${result} "${nvcc}" PARENT_SCOPE)
  endif()
endfunction()

if(NOT DEFINED ENV{CUDACXX} AND NOT DEFINED CMAKE_CUDA_COMPILER)
  set(toolkit $ENV{CUDA_HOME} $ENV{CUDA_PATH} $ENV{CUDAToolkit_ROOT} ${CUDAToolkit_ROOT})
  if(toolkit)
    list(GET toolkit 0 toolkit)
    set(ENV{CUDACXX} "${toolkit}/bin/nvcc")
  else()
    find_nvcc_of_python(nvcc)
    if(nvcc)
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
