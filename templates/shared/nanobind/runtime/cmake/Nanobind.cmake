# Makes the Python module `_core` with nanobind, for the stable ABI where nanobind has one: on
# Python 3.12 and later.
include_guard()

find_package(Python REQUIRED COMPONENTS Interpreter Development.Module NumPy ${SKBUILD_SABI_COMPONENT})
find_package(nanobind CONFIG REQUIRED)

# nanobind_module(<source>…)
#
# Makes `_core` of these sources and those that convert arguments, linked with `host`.
function(nanobind_module)
  nanobind_add_module(_core STABLE_ABI FREE_THREADED NB_STATIC NB_SUPPRESS_WARNINGS
    NOMINSIZE # a call takes half the time
    NB_DOMAIN ${SKBUILD_PROJECT_NAME} # other packages made with nanobind have nothing to do with it
    src/module/argument.cpp
    src/module/buffer.cpp
    src/module/buffer_protocol.cpp
    src/module/cuda_array_interface.cpp
    src/module/device.cpp
    src/module/dlpack.cpp
    src/module/errors.cpp
    src/module/exchange.cpp
    src/module/functions.cpp
    src/module/ndarray.cpp
    src/module/stream.cpp
    src/python/run.cpp
    ${ARGN})
  target_link_libraries(_core PRIVATE host Python::NumPy)
  compile_strictly(_core)
  if(UNIX AND NOT APPLE)
    target_link_options(_core PRIVATE LINKER:--exclude-libs,ALL) # keeps the symbols of archives inside
  endif()
  install(TARGETS _core LIBRARY DESTINATION .)
endfunction()
