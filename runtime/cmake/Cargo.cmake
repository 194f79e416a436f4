# Runs cargo for the crates of the runtime and of src/.
include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/Backend.cmake")

# CARGO; the RUSTC beside it, so that no other one is picked up from PATH; its version, and the machine that it compiles for.
ask_backend(rust rust)
list(POP_FRONT rust CARGO RUSTC RUSTC_VERSION CARGO_TARGET)
if(NOT WIN32)
  find_program(LINKER NAMES $ENV{CC} cc gcc clang)
  if(NOT LINKER)
    message(FATAL_ERROR "no C compiler found, which the build needs. Install one, for instance: apt install g++")
  endif()
endif()
set(CARGO_HOST "${CARGO_TARGET}") # of programs that the build runs
# The target is passed with each call, whatever the user's settings of cargo: the output is where it is expected.
if(DEFINED ENV{CARGO_BUILD_TARGET} AND APPLE) # how cibuildwheel builds for the other processor
  set(CARGO_TARGET "$ENV{CARGO_BUILD_TARGET}")
endif()

# The profile of Cargo.toml: for what is built after every edit, the same code but for what takes long.
if(SKBUILD_STATE STREQUAL "editable")
  set(CARGO_PROFILE editable)
elseif(NOT CARGO_PROFILE)
  set(CARGO_PROFILE release)
endif()

# One for all crates: the core and the crates of src/ have dependencies in common, which are compiled once.
set(CARGO_TARGET_DIR "${CMAKE_BINARY_DIR}/cargo")

# cargo_output(<file> <result>)
#
# Where cargo puts a file.
function(cargo_output file result)
  set(${result} "${CARGO_TARGET_DIR}/${CARGO_TARGET}/${CARGO_PROFILE}/${file}" PARENT_SCOPE)
endfunction()

# Modules are for the stable ABI; for free-threaded Pythons it exists from 3.15 on, and before it modules are for one version.
set(module_suffix abi3)
set(module_features "")
if(SKBUILD_SOABI STREQUAL "abi3t")
  set(module_suffix abi3t)
  set(module_features --features pyo3/abi3t-py315)
elseif(SKBUILD_SOABI MATCHES "^cpython-3[0-9]+t")
  set(module_suffix "${SKBUILD_SOABI}")
endif()

# cargo_module(<name> <built> <module>)
#
# The file that cargo makes of a Python module, and the name by which Python finds it.
function(cargo_module name built module)
  if(WIN32)
    set(${built} "${name}.dll" PARENT_SCOPE)
    set(${module} "${name}.pyd" PARENT_SCOPE)
  else()
    set(suffix so)
    if(APPLE)
      set(suffix dylib)
    endif()
    set(${built} "lib${name}.${suffix}" PARENT_SCOPE)
    set(${module} "${name}.${module_suffix}.so" PARENT_SCOPE)
  endif()
endfunction()

# cargo_command(<result> [PACKAGE <crate>…] [CRATE <folder>] [ARGUMENTS <argument>…]
#               [ENVIRONMENT <name>=<value>…] [RENAMED <from>=<to>…])
#
# Builds crates of the runtime, or one in another folder. Dependencies come from Cargo.lock, its own or the one of the
# workspace around it; in an editable install of a CRATE cargo writes that file anew when they change.
function(cargo_command result)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "CRATE" "PACKAGE;ARGUMENTS;ENVIRONMENT;RENAMED")
  set(locked --locked)
  if(NOT arg_CRATE)
    cmake_path(SET arg_CRATE NORMALIZE "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/..")
  else()
    set(locked "")
    if(NOT SKBUILD_STATE STREQUAL "editable")
      ask_backend(locked locked "${arg_CRATE}")
    endif()
  endif()
  list(TRANSFORM arg_PACKAGE PREPEND "--package=")
  # Names are the same wherever the build is done, so that a wheel says nothing of its builder and is the same to the byte.
  ask_backend(of_flags flags "${RUSTC}" "${arg_CRATE}" ${arg_RENAMED})
  set(settings ${of_flags})
  list(FILTER of_flags EXCLUDE REGEX "^target")
  list(FILTER settings INCLUDE REGEX "^target")
  list(TRANSFORM settings PREPEND "--config=")
  # The linker of Rust does not read what GCC makes with -flto: its symbols would be undefined.
  foreach(flags IN ITEMS CFLAGS CXXFLAGS)
    if("$ENV{${flags}}" MATCHES "-flto")
      list(APPEND of_flags "${flags}=$ENV{${flags}} -fno-lto")
    endif()
  endforeach()
  set(${result}
    ${CMAKE_COMMAND} -E chdir "${arg_CRATE}"
    ${CMAKE_COMMAND} -E env
      ${of_flags} "RUSTC=${RUSTC}" RUSTUP_AUTO_INSTALL=0 ${arg_ENVIRONMENT}
    ${CARGO} build ${settings} ${arg_PACKAGE} ${arg_ARGUMENTS} --profile ${CARGO_PROFILE} --target ${CARGO_TARGET}
      --target-dir "${CARGO_TARGET_DIR}" ${locked}
      --quiet # an import that rebuilds prints nothing
    PARENT_SCOPE)
endfunction()

# cargo_target(<target> <file> <result> [<argument of cargo_command>…])
#
# A target that makes the file, and the file's path. It asks cargo each time, which knows best what is out of date.
function(cargo_target target file result)
  cargo_output(${file} output)
  cargo_command(command ${ARGN})
  add_custom_target(${target} COMMAND ${command} BYPRODUCTS "${output}" COMMENT "Building ${target} with cargo" VERBATIM)
  # Cargo locks its folder, so one of them waits; in this order more is compiled at a time.
  add_dependencies(${target} cuvec_core)
  set(${result} "${output}" PARENT_SCOPE)
endfunction()
