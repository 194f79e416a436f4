# kernels_crate(<folder> <build> <result>)
#
# The folder of the crate that the kernels in Rust of a folder are: the same one, if it has a Cargo.toml; otherwise one below
# <build>, with a manifest that names no more crates. There the build script finds the kernels by the variable KERNELS.
#
# A crate that names no more crates gets a Cargo.lock, if it is in no workspace that has one, so that cargo needs no network.
include_guard()

include("${CMAKE_CURRENT_LIST_DIR}/CargoWorkspace.cmake")

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
