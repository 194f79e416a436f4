# Makes the target `python`: all that an extension module of the package holds, in the C API of
# CPython. What makes the module itself is the bridge's.
#
# With `wheel.py-api` in pyproject.toml it is compiled for the limited API, and so are the modules
# that link it.
include_guard()

find_package(Python REQUIRED COMPONENTS Interpreter Development.Module NumPy ${SKBUILD_SABI_COMPONENT})

set(bridge "${CMAKE_CURRENT_LIST_DIR}/../native/bridge")
add_library(python STATIC
  ${bridge}/python/argument.cpp
  ${bridge}/python/buffer.cpp
  ${bridge}/python/buffer_arguments.cpp
  ${bridge}/python/beside.cpp
  ${bridge}/python/buffer_attributes.cpp
  ${bridge}/python/buffer_methods.cpp
  ${bridge}/python/buffer_protocol.cpp
  ${bridge}/python/buffer_type.cpp
  ${bridge}/python/call.cpp
  ${bridge}/python/callable.cpp
  ${bridge}/python/conversation.cpp
  ${bridge}/python/cuda_array_interface.cpp
  ${bridge}/python/cupy.cpp
  ${bridge}/python/cupy_array.cpp
  ${bridge}/python/device.cpp
  ${bridge}/python/dlpack.cpp
  ${bridge}/python/docstring.cpp
  ${bridge}/python/error.cpp
  ${bridge}/python/exchange.cpp
  ${bridge}/python/functions.cpp
  ${bridge}/python/getter.cpp
  ${bridge}/python/kept.cpp
  ${bridge}/python/memory.cpp
  ${bridge}/python/method_call.cpp
  ${bridge}/python/module.cpp
  ${bridge}/python/ndarray.cpp
  ${bridge}/python/number.cpp
  ${bridge}/python/read.cpp
  ${bridge}/python/run.cpp
  ${bridge}/python/stream.cpp
  ${bridge}/python/xla.cpp)
target_include_directories(python PUBLIC ${bridge})
target_link_libraries(python PUBLIC host PRIVATE Python::NumPy ${CMAKE_DL_LIBS})
if(TARGET Python::SABIModule)
  target_link_libraries(python PUBLIC Python::SABIModule)
  # That of Python 3.11. Private: nanobind's own code asks for that of 3.12.
  target_compile_definitions(python PRIVATE Py_LIMITED_API=0x030b0000)
else()
  target_link_libraries(python PUBLIC Python::Module)
endif()
compile_strictly(python)
compile_together(python)

# finish_module(<target>): links a module of Python with all that, and installs it.
function(finish_module module)
  target_link_libraries(${module} PRIVATE python)
  compile_strictly(${module})
  if(UNIX AND NOT APPLE)
    target_link_options(${module} PRIVATE LINKER:--exclude-libs,ALL) # keeps the symbols of archives inside
  endif()
  install(TARGETS ${module} LIBRARY DESTINATION .)
endfunction()
