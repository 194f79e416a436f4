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
include("${CMAKE_CURRENT_LIST_DIR}/Sbom.cmake")
cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL include "${RUNTIME}/cmake/EditableTypes.cmake") # after src/
