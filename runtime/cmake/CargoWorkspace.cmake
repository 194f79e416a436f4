# Finds cargo, CARGO, and where the workspace of a crate is.
include_guard()

set(cargo_homes $ENV{HOME}/.cargo $ENV{USERPROFILE}/.cargo)
if(DEFINED ENV{CARGO_HOME})
  list(PREPEND cargo_homes $ENV{CARGO_HOME})
endif()
find_program(CARGO cargo PATHS ${cargo_homes} PATH_SUFFIXES bin) # where PATH has none
if(NOT CARGO)
  message(FATAL_ERROR "cargo not found, which builds the core of this package. Install Rust:\n"
    "  curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y\n"
    "or see https://rustup.rs for other systems")
endif()
set(RUSTUP_AUTO_INSTALL RUSTUP_AUTO_INSTALL=0) # never fetch a toolchain in the middle of a build

# cargo_workspace(<folder> <manifest> <locked>)
#
# The manifest of the workspace that the crate in a folder is in, which may be its own; and `--locked`, if a Cargo.lock is
# beside that. Cargo writes one otherwise.
function(cargo_workspace folder manifest_result locked_result)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env ${RUSTUP_AUTO_INSTALL}
      ${CARGO} locate-project --workspace --message-format plain --manifest-path "${folder}/Cargo.toml"
    OUTPUT_VARIABLE manifest OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  file(TO_CMAKE_PATH "${manifest}" manifest)
  cmake_path(GET manifest PARENT_PATH top)
  set(locked "")
  if(EXISTS "${top}/Cargo.lock")
    set(locked --locked)
  endif()
  set(${manifest_result} "${manifest}" PARENT_SCOPE)
  set(${locked_result} "${locked}" PARENT_SCOPE)
endfunction()
