# Builds a Python extension module with cargo.
include_guard(GLOBAL)

set(cargo_homes $ENV{HOME}/.cargo $ENV{USERPROFILE}/.cargo)
if(DEFINED ENV{CARGO_HOME})
  list(PREPEND cargo_homes $ENV{CARGO_HOME})
endif()
find_program(CARGO cargo PATHS ${cargo_homes} PATH_SUFFIXES bin) # where PATH has none
if(NOT CARGO)
  message(FATAL_ERROR "cargo not found, which builds the Rust code of this package. Install Rust: https://rustup.rs")
endif()
# The rustc beside this cargo, so that no other one is picked up from PATH.
cmake_path(GET CARGO PARENT_PATH rust_bin)
find_program(RUSTC rustc HINTS ${rust_bin} REQUIRED)
if(NOT WIN32)
  find_program(LINKER NAMES $ENV{CC} cc gcc clang)
  if(NOT LINKER)
    message(FATAL_ERROR "no C compiler found, which cargo and nvcc need. Install one, for instance: apt install g++")
  endif()
endif()

# cargo_module(<library> [KERNELS <target>])
#
# Builds the cdylib <library> of ./Cargo.toml and installs it as an abi3 module. KERNELS
# is an object library of one fatbin, which the host code embeds.
function(cargo_module library)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "KERNELS" "")

  set(target_dir "${CMAKE_CURRENT_BINARY_DIR}/cargo")
  if(WIN32)
    set(built "${library}.dll")
    set(module "${library}.pyd")
  elseif(APPLE)
    set(built "lib${library}.dylib")
    set(module "${library}.abi3.so")
  else()
    set(built "lib${library}.so")
    set(module "${library}.abi3.so")
  endif()
  if(arg_KERNELS)
    set(image "$<TARGET_OBJECTS:${arg_KERNELS}>")
  endif()

  # cargo knows best what is out of date, so it is always asked.
  add_custom_target(${library} ALL
    COMMAND ${CMAKE_COMMAND} -E env
      "KERNELS_IMAGE=${image}"
      "CARGO_TARGET_DIR=${target_dir}"
      "RUSTC=${RUSTC}"
      RUSTUP_AUTO_INSTALL=0 # never fetch a toolchain in the middle of a build
      "PYO3_PYTHON=${Python_EXECUTABLE}"
      PYO3_BUILD_EXTENSION_MODULE=1
      ${CARGO} build --release --lib --quiet # an import that rebuilds prints nothing
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
    BYPRODUCTS "${target_dir}/release/${built}"
    USES_TERMINAL VERBATIM)
  if(arg_KERNELS)
    add_dependencies(${library} ${arg_KERNELS})
  endif()
  install(PROGRAMS "${target_dir}/release/${built}" DESTINATION . RENAME ${module})
endfunction()
