# Makes the target `python`: the objects of Python that functions take, as arrays of the host.
#
# With `wheel.py-api` in pyproject.toml it is compiled for the limited API, and so are the modules
# that link it.
include_guard()

find_package(Python REQUIRED COMPONENTS Interpreter Development.Module NumPy ${SKBUILD_SABI_COMPONENT})

add_library(python STATIC
  src/python/argument.cpp
  src/python/buffer.cpp
  src/python/buffer_arguments.cpp
  src/python/buffer_attributes.cpp
  src/python/buffer_methods.cpp
  src/python/buffer_protocol.cpp
  src/python/buffer_type.cpp
  src/python/cuda_array_interface.cpp
  src/python/dlpack.cpp
  src/python/error.cpp
  src/python/exchange.cpp
  src/python/ndarray.cpp
  src/python/read.cpp
  src/python/run.cpp
  src/python/stream.cpp)
target_include_directories(python PUBLIC src)
target_link_libraries(python PUBLIC host PRIVATE Python::NumPy)
if(TARGET Python::SABIModule)
  target_link_libraries(python PUBLIC Python::SABIModule)
  target_compile_definitions(python PUBLIC Py_LIMITED_API=0x030b0000) # that of Python 3.11
else()
  target_link_libraries(python PUBLIC Python::Module)
endif()
compile_strictly(python)
