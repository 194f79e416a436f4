# The Python module `_core`, all of it in Rust.
find_package(Python REQUIRED COMPONENTS Interpreter)
set(PYO3_ENVIRONMENT "PYO3_PYTHON=${Python_EXECUTABLE}" PYO3_BUILD_EXTENSION_MODULE=1)
cargo_module(_core ENVIRONMENT ${PYO3_ENVIRONMENT})
