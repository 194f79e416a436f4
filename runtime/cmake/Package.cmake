# Builds a package: the functions of kernels/ as the library `_functions`, the core as the Python module `_core`, and
# the stub of the functions, for type checkers.
include("${CMAKE_CURRENT_LIST_DIR}/Cargo.cmake") # first, for what is missing is said before anything is compiled
include("${CMAKE_CURRENT_LIST_DIR}/Functions.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/Core.cmake")

add_custom_command(
  OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/functions.pyi"
  COMMAND "${CORE}/${core_stub}" $<TARGET_FILE:_functions> "${CMAKE_CURRENT_BINARY_DIR}/functions.pyi"
  DEPENDS _functions _core VERBATIM)
add_custom_target(functions_stub ALL DEPENDS "${CMAKE_CURRENT_BINARY_DIR}/functions.pyi")
install(TARGETS _functions LIBRARY DESTINATION . RUNTIME DESTINATION .)
install(PROGRAMS "${CORE}/${core_module}" DESTINATION .)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/functions.pyi" DESTINATION .)
file(TOUCH "${CMAKE_CURRENT_BINARY_DIR}/py.typed") # type checkers read a package that has it
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/py.typed" DESTINATION ..)

include("${CMAKE_CURRENT_LIST_DIR}/Sources.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/CudaLibraries.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/Extension.cmake" OPTIONAL)
include("${CMAKE_CURRENT_LIST_DIR}/Sbom.cmake")
