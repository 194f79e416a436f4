# Writes the stub of the functions, for type checkers: a program that is linked with them does.
set(stub "${CMAKE_CURRENT_BINARY_DIR}/functions.pyi")
add_custom_target(functions_stub ALL # cargo knows best what is out of date
  COMMAND ${CMAKE_COMMAND} -E env
    "KERNELS_FOR_CARGO=${KERNELS_FOR_CARGO}" "RUSTC=${RUSTC}" RUSTUP_AUTO_INSTALL=0 ${KERNELS_ENVIRONMENT}
    ${CARGO} run --profile ${CARGO_PROFILE} --package kernels --example stub
      --target-dir "${CARGO_TARGET_DIR}" --quiet -- "${stub}"
  WORKING_DIRECTORY "${NATIVE}"
  BYPRODUCTS "${stub}"
  USES_TERMINAL VERBATIM)
add_dependencies(functions_stub kernels)
install(FILES "${stub}" DESTINATION .)
