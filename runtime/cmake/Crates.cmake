# Finds cargo, CARGO, the workspace of a crate, and the crate of the kernels.
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

# A crate that names no more crates gets a Cargo.lock, if it is in no workspace that has one, so that cargo needs no network.
function(lock_kernels folder)
  file(READ "${folder}/Cargo.toml" text)
  string(REGEX REPLACE "#[^\n]*" "" text "${text}")
  string(REGEX REPLACE "\ncuvec-kernels =[^\n]*" "" text "${text}")
  if(NOT text MATCHES "dependencies\\][ \r\n]*[^[ \r\n]|dependencies[.]")
    cargo_workspace("${folder}" workspace locked)
    cmake_path(COMPARE "${workspace}" EQUAL "${folder}/Cargo.toml" is_own)
    if(is_own AND NOT locked)
      file(COPY_FILE "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../kernels/kernels.lock" "${folder}/Cargo.lock" RESULT problem)
      if(problem)
        message(STATUS "kernels/Cargo.lock was not written: ${problem}")
      endif()
    endif()
  endif()
endfunction()

# kernels_crate(<folder> <build> <result>)
#
# The folder of the crate that the kernels in Rust of a folder are: the same one, if it has a Cargo.toml; otherwise one below
# <build>, with a manifest that names no more crates. There the build script finds the kernels by the variable KERNELS.
function(kernels_crate folder build result)
  if(NOT EXISTS "${folder}/Cargo.toml")
    cmake_path(SET runtime NORMALIZE "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../kernels")
    file(CONFIGURE OUTPUT "${build}/kernels-crate/Cargo.toml" @ONLY CONTENT [[
workspace = {}

[package]
name = "kernels"
version = "0.0.0"
edition = "2024"
rust-version = "1.88"
publish = false
build = "@runtime@/list.rs"

[lib]
path = "@runtime@/functions.rs"
crate-type = ["rlib", "staticlib"]

[dependencies]
cuvec-kernels = { path = "@runtime@" }
]])
    set(folder "${build}/kernels-crate")
  endif()
  lock_kernels("${folder}")
  set(${result} "${folder}" PARENT_SCOPE)
endfunction()
