# Builds a package, of which the runtime is in build/cuvec_runtime: the functions of kernels/ as the library `_functions`, the core as the Python module `_core`, and
# the stubs of the functions, for type checkers.
include("${CMAKE_CURRENT_LIST_DIR}/Cargo.cmake") # first, for what is missing is said before anything is compiled
include("${CMAKE_CURRENT_LIST_DIR}/Functions.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/Core.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/Targets.cmake")

set(stubs "${CMAKE_CURRENT_BINARY_DIR}/stubs")
add_custom_command(
  OUTPUT "${stubs}/functions.pyi" "${stubs}/jax/functions.pyi" "${stubs}/torch/functions.pyi"
  COMMAND "${CORE}/${core_stub}" $<TARGET_FILE:cuvec_functions> "${stubs}"
  DEPENDS cuvec_functions cuvec_core VERBATIM)
add_custom_target(cuvec_stubs ALL DEPENDS "${stubs}/functions.pyi")
install(TARGETS cuvec_functions COMPONENT functions LIBRARY DESTINATION . RUNTIME DESTINATION .)
install(PROGRAMS "${CORE}/${core_module}" DESTINATION .)
list_module(. $<TARGET_FILE_NAME:cuvec_functions>)
list_module(. "${core_module}")
install(DIRECTORY "${stubs}/" DESTINATION . COMPONENT functions)
file(TOUCH "${CMAKE_CURRENT_BINARY_DIR}/py.typed") # type checkers read a package that has it
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/py.typed" DESTINATION ..)
# Whatever the distribution is called that the package is in, and also where its metadata is missing.
file(CONFIGURE OUTPUT _version.py CONTENT "__version__ = \"@SKBUILD_PROJECT_VERSION_FULL@\"\n" @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/_version.py" DESTINATION .)

install(DIRECTORY "${RUNTIME}/cuvec/" DESTINATION . PATTERN __pycache__ EXCLUDE)
install(DIRECTORY "${RUNTIME}/dask" DESTINATION .. PATTERN __pycache__ EXCLUDE)
if(DEFINED SKBUILD_METADATA_DIR)
  install(FILES "${RUNTIME}/LICENSE" DESTINATION "${SKBUILD_METADATA_DIR}/licenses/runtime")
endif()
# For static libraries that a package adds: they become a part of a shared one.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

include("${CMAKE_CURRENT_LIST_DIR}/Sources.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/CudaLibraries.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/Extension.cmake" OPTIONAL)

# Releases list in a wheel what was compiled into it, in the folder that PEP 770 names. It is off elsewhere: pip wants to know every
# file of the metadata before it builds.
option(SBOM "List in the wheel what was compiled into it" OFF)
if(SBOM AND SKBUILD_STATE STREQUAL "wheel")
  set(parts "")
  if(CUDAToolkit_FOUND)
    list(APPEND parts "generic/cuda-toolkit@${CUDAToolkit_VERSION}")
  endif()
  foreach(tool IN ITEMS nanobind pybind11 SWIG)
    if(${tool}_FOUND)
      string(TOLOWER "pypi/${tool}@${${tool}_VERSION}" part)
      list(APPEND parts "${part}")
    endif()
  endforeach()
  ask_backend(sbom sbom "${CMAKE_CURRENT_BINARY_DIR}" "${SKBUILD_PROJECT_NAME}@${SKBUILD_PROJECT_VERSION_FULL}" "${PROJECT_SOURCE_DIR}" ${parts})
  install(FILES "${sbom}" DESTINATION "${SKBUILD_METADATA_DIR}/sboms")
endif()

# An editable install has one folder for type checkers, which is made after all else, and so after src/, is installed.
if(SKBUILD_STATE STREQUAL "editable")
  list(JOIN cuvec_backend "\" \"" program)
  set(link_types "execute_process(COMMAND \"${program}\" types \"${CMAKE_SOURCE_DIR}\" \"\${CMAKE_INSTALL_PREFIX}\" COMMAND_ERROR_IS_FATAL ANY)")
  cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL install CODE "${link_types}")
endif()
