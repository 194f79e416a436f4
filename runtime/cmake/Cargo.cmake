# Runs cargo for the crates of the runtime and of src/.
include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/Cache.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/Crates.cmake")

# The rustc beside this cargo, so that no other one is picked up from PATH.
cmake_path(GET CARGO PARENT_PATH rust_bin)
find_program(RUSTC rustc HINTS ${rust_bin} REQUIRED)
if(NOT WIN32)
  find_program(LINKER NAMES $ENV{CC} cc gcc clang)
  if(NOT LINKER)
    message(FATAL_ERROR "no C compiler found, which the build needs. Install one, for instance: apt install g++")
  endif()
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E env ${RUSTUP_AUTO_INSTALL} ${RUSTC} -vV
  OUTPUT_VARIABLE RUSTC_VERSION COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} -E env ${RUSTUP_AUTO_INSTALL} ${RUSTC} --print sysroot
  OUTPUT_VARIABLE rust_sysroot OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/../core/Cargo.toml" rust_needed REGEX "^rust-version")
string(REGEX MATCH "[0-9.]+" rust_needed "${rust_needed}")
if(RUSTC_VERSION MATCHES "release: ([0-9.]+)" AND CMAKE_MATCH_1 VERSION_LESS rust_needed)
  message(FATAL_ERROR "Rust ${CMAKE_MATCH_1} is too old: the core of this package needs ${rust_needed}. Update it, for instance: "
    "rustup update stable; or install one from https://rustup.rs")
endif()
string(REGEX MATCH "commit-hash: ([^\n]+)" matched "${RUSTC_VERSION}")
# Where the sources of Rust's library are installed, for an editor, rustc names them by their path.
set(rust_library "${rust_sysroot}/lib/rustlib/src/rust=/rustc/${CMAKE_MATCH_1}")
string(REGEX MATCH "host: ([^\n]+)" matched "${RUSTC_VERSION}")
# Passed with each call, whatever the user's settings of cargo: the output is where it is expected.
set(CARGO_TARGET "${CMAKE_MATCH_1}")
if(DEFINED ENV{CARGO_BUILD_TARGET} AND APPLE) # how cibuildwheel builds for the other processor
  set(CARGO_TARGET "$ENV{CARGO_BUILD_TARGET}")
endif()

# The profile of Cargo.toml: for what is built after every edit, the same code but for what takes long.
if(SKBUILD_STATE STREQUAL "editable")
  set(CARGO_PROFILE editable)
elseif(NOT CARGO_PROFILE)
  set(CARGO_PROFILE release)
endif()

# cargo_flags(<environment> <settings> <folder> [<from>=<to>…])
#
# The flags for rustc of a crate in the folder: the user's, and names that are the same wherever the build is done, so that a
# wheel says nothing of its builder and is the same to the byte. Where the user has set a variable, it is the one that counts; else
# cargo adds ours to the ones in the user's `.cargo/config.toml`.
function(cargo_flags environment settings folder)
  list(GET cargo_homes 0 home)
  get_filename_component(home "${home}" REALPATH) # it may not be there yet: file(REAL_PATH) of CMake 4 warns of that
  # Paths of the package are relative ones already: with the same flags for all packages, crates are compiled for all.
  set(ours "${home}/registry/src=crates" "${rust_library}" ${ARGN})
  list(TRANSFORM ours PREPEND "--remap-path-prefix=")
  string(ASCII 31 separator) # cargo's, for flags that may hold blanks
  set(flags "$ENV{CARGO_ENCODED_RUSTFLAGS}")
  if(flags STREQUAL "")
    string(REPLACE " " "${separator}" flags "$ENV{RUSTFLAGS}")
  endif()
  set(of_variable TRUE)
  if(flags STREQUAL "")
    set(of_variable FALSE)
    execute_process(COMMAND ${cache_program} flags "${folder}" OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
  endif()
  list(JOIN ours "${separator}" ours)
  if(flags)
    string(PREPEND ours "${flags}${separator}")
  endif()
  if(of_variable)
    set(${environment} "CARGO_ENCODED_RUSTFLAGS=${ours}" PARENT_SCOPE)
    set(${settings} "" PARENT_SCOPE)
  else() # cargo adds those for a target; as TOML has them, in the quotes that `cmake -E chdir` takes
    string(REPLACE "${separator}" "''', '''" ours "${ours}")
    set(${environment} --unset=RUSTFLAGS --unset=CARGO_ENCODED_RUSTFLAGS PARENT_SCOPE)
    set(${settings} --config "target.'cfg(all())'.rustflags=['''${ours}''']" PARENT_SCOPE)
  endif()
endfunction()

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
    cargo_workspace("${arg_CRATE}" workspace locked)
    if(SKBUILD_STATE STREQUAL "editable")
      unset(locked)
    endif()
  endif()
  list(TRANSFORM arg_PACKAGE PREPEND "--package=")
  cargo_flags(of_flags settings "${arg_CRATE}" ${arg_RENAMED})
  # The linker of Rust does not read what GCC makes with -flto: its symbols would be undefined.
  foreach(flags IN ITEMS CFLAGS CXXFLAGS)
    if("$ENV{${flags}}" MATCHES "-flto")
      list(APPEND of_flags "${flags}=$ENV{${flags}} -fno-lto")
    endif()
  endforeach()
  set(${result}
    ${CMAKE_COMMAND} -E chdir "${arg_CRATE}"
    ${CMAKE_COMMAND} -E env
      ${of_flags} "RUSTC=${RUSTC}" ${RUSTUP_AUTO_INSTALL} ${arg_ENVIRONMENT}
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
