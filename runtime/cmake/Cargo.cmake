# Builds the Rust code of this package with cargo.
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
    message(FATAL_ERROR "no C compiler found, which the build needs. Install one, for instance: apt install g++")
  endif()
endif()

set(CARGO_TARGET_DIR "${CMAKE_CURRENT_BINARY_DIR}/cargo")

# The profile of native/Cargo.toml, and the folder in CARGO_TARGET_DIR that cargo names after it.
if(SKBUILD_STATE STREQUAL "editable")
  set(CARGO_PROFILE editable)
else()
  set(CARGO_PROFILE release)
endif()

# cargo_target(<target> CRATE <folder> COMMAND <argument>… BYPRODUCTS <file>… [ENVIRONMENT <name>=<value>…]
#              [ARGUMENTS <argument>…])
#
# Runs `cargo <COMMAND>` in the folder of a crate; ARGUMENTS are those of the program that it runs.
# KERNELS_FOR_CARGO says what the crate `kernels` is to link or to embed.
function(cargo_target target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "CRATE" "COMMAND;BYPRODUCTS;ENVIRONMENT;ARGUMENTS")
  # cargo knows best what is out of date, so it is always asked.
  add_custom_target(${target} ALL
    COMMAND ${CMAKE_COMMAND} -E env
      "KERNELS_FOR_CARGO=${KERNELS_FOR_CARGO}"
      "RUSTC=${RUSTC}"
      RUSTUP_AUTO_INSTALL=0 # never fetch a toolchain in the middle of a build
      ${KERNELS_ENVIRONMENT} ${arg_ENVIRONMENT}
      ${CARGO} ${arg_COMMAND} --profile ${CARGO_PROFILE} --target-dir "${CARGO_TARGET_DIR}"
        --quiet # an import that rebuilds prints nothing
        ${arg_ARGUMENTS}
    WORKING_DIRECTORY "${arg_CRATE}"
    BYPRODUCTS ${arg_BYPRODUCTS}
    USES_TERMINAL VERBATIM)
endfunction()

# cargo_build(<target> BYPRODUCTS <file>… [CRATE <folder>] [ENVIRONMENT <name>=<value>…])
#
# Builds the library of a crate, which makes the files BYPRODUCTS in CARGO_TARGET_DIR. Without CRATE
# it is `bridge`. Its dependencies are those of Cargo.lock; in an editable install with CRATE cargo
# writes that file anew when they change.
function(cargo_build target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "CRATE" "BYPRODUCTS;ENVIRONMENT")
  list(TRANSFORM arg_BYPRODUCTS PREPEND "${CARGO_TARGET_DIR}/")
  set(crate "${NATIVE}/bridge")
  set(locked --locked)
  if(arg_CRATE)
    set(crate "${arg_CRATE}")
    if(SKBUILD_STATE STREQUAL "editable")
      unset(locked)
    endif()
  endif()
  cargo_target(${target}
    CRATE "${crate}" COMMAND build --lib ${locked}
    BYPRODUCTS ${arg_BYPRODUCTS} ENVIRONMENT ${arg_ENVIRONMENT})
  if(NOT arg_CRATE)
    add_dependencies(${target} kernels)
  endif()
endfunction()

# cargo_module(<library> [CRATE <folder>] [DESTINATION <folder>] [ENVIRONMENT <name>=<value>…])
#
# Builds the cdylib <library> of a crate and installs it as an abi3 module of Python, beside `_core`
# or in DESTINATION.
function(cargo_module library)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "CRATE;DESTINATION" "ENVIRONMENT")
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
  if(NOT arg_DESTINATION)
    set(arg_DESTINATION .)
  endif()
  cargo_build(${library}
    CRATE ${arg_CRATE} BYPRODUCTS ${CARGO_PROFILE}/${built} ENVIRONMENT ${arg_ENVIRONMENT})
  install(PROGRAMS "${CARGO_TARGET_DIR}/${CARGO_PROFILE}/${built}"
    DESTINATION ${arg_DESTINATION} RENAME ${module})
endfunction()

# cargo_library(<library> HEADERS <file>… [CRATE <folder>])
#
# Builds the staticlib <library> of a crate, with its bridge to C++, as a library that targets can
# link. HEADERS are those that cxx generates.
function(cargo_library library)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "CRATE" "HEADERS")
  find_package(Threads REQUIRED)
  set(archive "${CARGO_PROFILE}/${CMAKE_STATIC_LIBRARY_PREFIX}${library}${CMAKE_STATIC_LIBRARY_SUFFIX}")
  list(TRANSFORM arg_HEADERS PREPEND cxxbridge/)
  cargo_build(${library}_cargo
    CRATE ${arg_CRATE}
    BYPRODUCTS ${archive} ${arg_HEADERS}
    ENVIRONMENT "CXX=${CMAKE_CXX_COMPILER}")

  add_library(${library} STATIC IMPORTED)
  add_dependencies(${library} ${library}_cargo)
  # The build script of each crate removes cxxbridge/rust/cxx.h and makes it again, so that no C++ is
  # compiled before the last of them has ended.
  get_property(others GLOBAL PROPERTY CARGO_LIBRARIES)
  foreach(other IN LISTS others)
    add_dependencies(${library} ${other}_cargo)
    add_dependencies(${other} ${library}_cargo)
  endforeach()
  set_property(GLOBAL APPEND PROPERTY CARGO_LIBRARIES ${library})
  file(MAKE_DIRECTORY "${CARGO_TARGET_DIR}/cxxbridge") # CMake wants to see it
  set_target_properties(${library} PROPERTIES
    IMPORTED_LOCATION "${CARGO_TARGET_DIR}/${archive}"
    INTERFACE_INCLUDE_DIRECTORIES "${CARGO_TARGET_DIR}/cxxbridge")
  # What Rust's standard library is made of.
  if(WIN32)
    set(system kernel32 ntdll userenv ws2_32 dbghelp)
  elseif(NOT APPLE)
    set(system m rt)
  endif()
  target_link_libraries(${library} INTERFACE Threads::Threads ${CMAKE_DL_LIBS} ${system})
  if(UNIX AND NOT APPLE) # no module has use for all of it, nor shows it to others
    target_link_options(${library} INTERFACE LINKER:--gc-sections LINKER:--exclude-libs,ALL)
  endif()
endfunction()
