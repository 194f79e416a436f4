# Finds SWIG: what SWIG_EXECUTABLE names, or the PyPI package swig of the Python that runs this
# build, or one on PATH.
# The PyPI package is asked for through Python, never searched for on PATH or CMAKE_PREFIX_PATH,
# which could hold the SWIG of another environment.
include_guard()

if(NOT DEFINED SWIG_EXECUTABLE)
  set(locate [[
from importlib.metadata import PackageNotFoundError, files
try:
    data = [f for f in files("swig") or () if "data" in f.parts]
except PackageNotFoundError:
    data = []
print(*(f.locate() for f in data if f.stem == "swig" and f.suffix in ("", ".exe", ".swg")), sep=";", end="")
]])
  execute_process(COMMAND ${Python_EXECUTABLE} -c "${locate}" OUTPUT_VARIABLE found COMMAND_ERROR_IS_FATAL ANY)
  foreach(file IN LISTS found)
    cmake_path(NORMAL_PATH file)
    if(file MATCHES "swg$")
      cmake_path(GET file PARENT_PATH SWIG_DIR) # SWIG's library
    else()
      set(SWIG_EXECUTABLE "${file}")
    endif()
  endforeach()
endif()
find_package(SWIG 4.4 REQUIRED COMPONENTS python)
include(UseSWIG)
