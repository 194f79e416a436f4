# kernels_crate(<folder> <build> <result>)
#
# The folder of the crate that the kernels in Rust of a folder are: the same one, if it has a Cargo.toml; otherwise one below
# <build>, with a manifest that names no more crates. There the build script finds the kernels by the variable KERNELS.
include_guard()

function(kernels_crate folder build result)
  set(${result} "${folder}" PARENT_SCOPE)
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
    set(${result} "${build}/kernels-crate" PARENT_SCOPE)
  endif()
endfunction()
