# Writes the stub of the functions, for type checkers: a program that is linked with them does.
set(stub "${CMAKE_CURRENT_BINARY_DIR}/functions.pyi")
cargo_target(functions_stub
  CRATE "${NATIVE}" COMMAND run --locked --package kernels --example stub
  BYPRODUCTS "${stub}" ARGUMENTS -- "${stub}")
add_dependencies(functions_stub kernels)
install(FILES "${stub}" DESTINATION .)
