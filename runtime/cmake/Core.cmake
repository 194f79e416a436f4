# The core: the Python module `_core`, and the program that writes the stubs of the functions.
#
# It does not depend on the package, so it is compiled once a machine: where its sources, the compiler and the flags
# are the same it is taken from the user's cache. `CUVEC_CACHE` names another folder; `CUVEC_CACHE=0` does without.
# An editable install takes that of wheels if it is there: nobody edits the core.
include_guard()

include("${CMAKE_CURRENT_LIST_DIR}/Cargo.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/CacheFolder.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/CacheKey.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/LiteralPath.cmake")

cargo_module(_core core_built core_module)
set(core_stub "cuvec-stub${CMAKE_EXECUTABLE_SUFFIX}")

find_package(Python REQUIRED COMPONENTS Interpreter)
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
  literal_path("${RUNTIME}" runtime)
  file(GLOB_RECURSE sources RELATIVE "${RUNTIME}"
    "${runtime}/spec/*.rs" "${runtime}/core/*.rs" "${runtime}/python/*.rs")
  list(APPEND sources Cargo.toml Cargo.lock spec/Cargo.toml core/Cargo.toml python/Cargo.toml)
  list(SORT sources)
  cargo_flags(flags)
  string(REGEX REPLACE "--remap-path-prefix=[^=]*=" "" flags "${flags}") # what they are renamed to, not from
  execute_process(COMMAND ${LINKER} --version OUTPUT_VARIABLE linker ERROR_QUIET)
  string(REGEX REPLACE "PYO3_PYTHON=[^;]*" "" pyo3 "${pyo3_environment}") # whichever it is
  set(all "${RUSTC_VERSION}${profile} ${CARGO_TARGET} ${module_suffix} ${pyo3} ${flags}\n${linker}")
  foreach(name IN ITEMS MACOSX_DEPLOYMENT_TARGET CFLAGS CXXFLAGS LDFLAGS CARGO_PROFILE_RELEASE_LTO
      CARGO_PROFILE_RELEASE_CODEGEN_UNITS CARGO_PROFILE_RELEASE_OPT_LEVEL CARGO_PROFILE_RELEASE_DEBUG
      CARGO_PROFILE_RELEASE_STRIP CARGO_PROFILE_RELEASE_INCREMENTAL)
    string(APPEND all "${name}=$ENV{${name}}\n")
  endforeach()
  cache_key(key "${all}" "${RUNTIME}" ${sources})
  set(${result} ${key} PARENT_SCOPE)
endfunction()

cache_folder("${CMAKE_CURRENT_BINARY_DIR}" cache)
set(profiles release ${CARGO_PROFILE})
list(REMOVE_DUPLICATES profiles)
foreach(profile IN LISTS profiles)
  set(core_profile ${profile})
  core_key(${profile} key)
  set(CORE "${cache}/core-${key}")
  set(core_files "${CORE}/${core_module}" "${CORE}/${core_stub}")
  set(is_there FALSE)
  if(EXISTS "${CORE}/${core_module}" AND EXISTS "${CORE}/${core_stub}")
    set(is_there TRUE)
    break()
  endif()
endforeach()
cargo_command(core_build PACKAGE cuvec-core cuvec-python ARGUMENTS --lib --bins ${module_features} ENVIRONMENT ${pyo3_environment})
cargo_output(${core_built} built)
cargo_output(${core_stub} stub)
set(core_script "-DFOLDER=${CORE}" "-DMODULE=${built}" "-DAS=${core_module}" "-DSTUB=${stub}" "-DCARGO=${CARGO_TARGET_DIR}"
  -P "${CMAKE_CURRENT_LIST_DIR}/MakeCore.cmake")
if(is_there)
  message(STATUS "The core is in ${CORE}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${core_files}) # somebody may empty the cache
  add_custom_target(cuvec_core)
else()
  message(STATUS "Compiling the core, once for this machine")
  # Files and not a target, for cargo is not to be asked again: other sources have another key.
  add_custom_command(OUTPUT ${core_files}
    COMMAND ${CMAKE_COMMAND} "-DCOMMAND=${core_build}" ${core_script}
    COMMENT "Building the core with cargo" VERBATIM)
  add_custom_target(cuvec_core DEPENDS ${core_files})
endif()

# Gives src/ in Rust the crates that were compiled for the core, if that was in another build.
function(take_crates_of_core)
  if(core_profile STREQUAL CARGO_PROFILE AND EXISTS "${CORE}/cargo" AND NOT EXISTS "${CARGO_TARGET_DIR}")
    file(COPY "${CORE}/cargo/" DESTINATION "${CARGO_TARGET_DIR}")
  endif()
endfunction()
