# The core: the Python module `_core`, and the program that writes the stubs of the functions.
#
# It does not depend on the package, so it is compiled once a machine: where its sources, the compiler and the flags
# are the same it is taken from the user's cache.
# An editable install takes the one for wheels if it is there: nobody edits the core.
include_guard()

include("${CMAKE_CURRENT_LIST_DIR}/Cargo.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/Backend.cmake")

cargo_module(_core core_built core_module)
set(core_stub "cuvec-stub${CMAKE_EXECUTABLE_SUFFIX}")

# Whenever pyo3 is told of another Python, cargo compiles it again. So it is told of none for the stable ABI, which needs none
# but on Windows; and else not of an environment's, which may be a new one at each build.
set(pyo3_environment PYO3_BUILD_EXTENSION_MODULE=1)
if(module_suffix STREQUAL "abi3" AND NOT WIN32)
  list(APPEND pyo3_environment PYO3_NO_PYTHON=1)
else()
  file(REAL_PATH "${Python_EXECUTABLE}" base_python)
  list(APPEND pyo3_environment "PYO3_PYTHON=${base_python}")
endif()

function(core_key profile result)
  set(flags "$ENV{CARGO_ENCODED_RUSTFLAGS} $ENV{RUSTFLAGS}")
  execute_process(COMMAND ${LINKER} --version OUTPUT_VARIABLE linker ERROR_QUIET)
  string(REGEX REPLACE "PYO3_PYTHON=[^;]*" "" pyo3 "${pyo3_environment}") # whichever it is
  set(all "${RUSTC_VERSION}${profile} ${CARGO_TARGET} ${module_suffix} ${pyo3} ${flags}\n${linker}")
  cache_key(key "${all}" core python)
  set(${result} ${key} PARENT_SCOPE)
endfunction()

set(profiles release ${CARGO_PROFILE})
list(REMOVE_DUPLICATES profiles)
foreach(profile IN LISTS profiles)
  set(core_profile ${profile})
  core_key(${profile} core_key)
  set(CORE "${CMAKE_CURRENT_BINARY_DIR}/core-${core_key}")
  cache_take(core-${core_key} "${CORE}" core_is_there)
  if(core_is_there)
    break()
  endif()
endforeach()
set(core_files "${CORE}/${core_module}" "${CORE}/${core_stub}")
if(core_is_there)
  message(STATUS "The core was compiled before: core-${core_key}")
  add_custom_target(cuvec_core)
else()
  message(STATUS "Compiling the core, once for this machine")
  cargo_command(core_build PACKAGE cuvec-core cuvec-python ARGUMENTS --lib --bins ${module_features} ENVIRONMENT ${pyo3_environment})
  cargo_output(${core_built} built)
  cargo_output(${core_stub} stub)
  # Files and not a target, for cargo is not to be asked again: other sources have another key.
  add_custom_command(OUTPUT ${core_files}
    COMMAND ${cuvec_backend} make "${CUVEC_CACHE}" core-${core_key} "${CORE}" "${CARGO_TARGET_DIR}"
      "${built}=${core_module}" "${stub}=${core_stub}" -- ${core_build}
    COMMENT "Building the core with cargo" VERBATIM)
  add_custom_target(cuvec_core DEPENDS ${core_files})
endif()

# Gives src/ in Rust the crates that were compiled for the core, if that was in another build.
function(take_crates_of_core)
  if(core_is_there AND core_profile STREQUAL CARGO_PROFILE AND NOT EXISTS "${CARGO_TARGET_DIR}")
    cache_take(crates-${core_key} "${CARGO_TARGET_DIR}" taken)
  endif()
endfunction()
