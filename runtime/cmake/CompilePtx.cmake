# Makes IMAGE, the PTX of the kernels in the folder KERNELS: a copy of its kernels.ptx, if that was
# compiled from the sources as they are now, otherwise compiled here, and kernels.ptx is brought up to
# date.
#
#   cmake -D KERNELS=<folder> -D BUILD=<folder> -D IMAGE=<file> -P CompilePtx.cmake
#
# Environment:
#   KERNELS_RUSTC     the compiler, with its library's sources beside it; default: rustup's nightly
#   KERNELS_PTXAS     the assembler that has to accept the PTX; default: that of PyPI's nvidia-cuda-nvcc
#   KERNELS_CHECKED   if set: compile with checks for overflow and `debug_assert!`, and leave kernels.ptx alone
cmake_minimum_required(VERSION 3.27...4.4)

include("${CMAKE_CURRENT_LIST_DIR}/CacheFolder.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/Ptxas.cmake")

cmake_path(ABSOLUTE_PATH KERNELS)
cmake_path(ABSOLUTE_PATH BUILD)
cmake_path(SET crate NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../kernels")
set(shipped "${KERNELS}/kernels.ptx")

# PTX of this version, for this architecture, runs on all later ones. See raise_target.
set(flags
  --target nvptx64-nvidia-cuda -Ctarget-cpu=sm_75 -Copt-level=3 -Ccodegen-units=1
  -Zunstable-options -Cpanic=immediate-abort --edition 2024)
if(DEFINED ENV{KERNELS_CHECKED})
  set(checks -Coverflow-checks=on -Cdebug-assertions=on)
endif()

# One number for all that decides what the PTX is, the same with either kind of line endings.
function(hash_of_sources result)
  file(GLOB_RECURSE sources RELATIVE "${crate}" "${crate}/src/*.rs")
  # What is compiled for the CPU alone decides nothing here.
  list(FILTER sources EXCLUDE REGEX "^src/(tests|plan|row)/|^src/(library|call)[.]rs$")
  # Modules may be in folders, and what `include!` reads is called anything.
  file(GLOB_RECURSE kernels RELATIVE "${KERNELS}" "${KERNELS}/*")
  list(FILTER kernels EXCLUDE REGEX "[.](ptx|cuh?|md)$|(^|/)[.]|~$")
  list(SORT sources)
  list(SORT kernels)
  set(all "${checks}")
  # Cargo.toml has the version of libm.
  foreach(source IN LISTS sources kernels ITEMS "${crate}/Cargo.toml" "${CMAKE_CURRENT_FUNCTION_LIST_FILE}")
    set(name "${source}")
    set(file "${KERNELS}/${source}")
    if(source IN_LIST sources)
      set(file "${crate}/${source}")
    elseif(IS_ABSOLUTE "${source}")
      cmake_path(GET source FILENAME name)
      set(file "${source}")
    endif()
    file(READ "${file}" text)
    string(REPLACE "\r\n" "\n" text "${text}")
    string(SHA256 hash "${text}")
    string(APPEND all "${name} ${hash}\n")
  endforeach()
  string(SHA256 hash "${all}")
  set(${result} ${hash} PARENT_SCOPE)
endfunction()

# The list of the kernels' files, as build.rs of the crate writes it for the CPU.
function(list_kernels list)
  file(GLOB kernels "${KERNELS}/*.rs")
  list(SORT kernels)
  set(text "")
  foreach(kernel IN LISTS kernels)
    cmake_path(GET kernel STEM name)
    string(APPEND text "#[path = \"${kernel}\"]\nmod ${name};\n")
  endforeach()
  file(WRITE "${list}" "${text}")
endfunction()

# The folder of the sources of libm, of the version that cargo builds for the CPU.
function(find_libm rustc result)
  cmake_path(GET rustc PARENT_PATH bin)
  find_program(CARGO cargo HINTS "$ENV{CARGO_HOME}/bin" PATHS "$ENV{HOME}/.cargo/bin" "$ENV{USERPROFILE}/.cargo/bin" "${bin}" REQUIRED)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env RUSTUP_AUTO_INSTALL=0
      ${CARGO} metadata --format-version 1 --locked --manifest-path "${crate}/Cargo.toml"
    OUTPUT_VARIABLE metadata COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\\\\" "/" metadata "${metadata}")
  if(NOT metadata MATCHES "\"manifest_path\":\"([^\"]*/libm(-[0-9.]+)?)/Cargo[.]toml\"")
    message(FATAL_ERROR "cargo names no sources of the crate libm")
  endif()
  set(${result} "${CMAKE_MATCH_1}" PARENT_SCOPE)
endfunction()

# Whether the file is PTX that was compiled from sources of this hash.
function(is_compiled_from hash file result)
  set(${result} FALSE PARENT_SCOPE)
  if(EXISTS "${file}")
    file(STRINGS "${file}" first LIMIT_COUNT 1)
    if(first STREQUAL "// SHA-256 of the sources: ${hash}")
      set(${result} TRUE PARENT_SCOPE)
    endif()
  endif()
endfunction()

# Finds a compiler and its library's sources, or says how to get them.
function(find_rustc rustc_result library_result)
  set(rustc "$ENV{KERNELS_RUSTC}")
  set(problem "KERNELS_RUSTC is ${rustc}")
  if(NOT rustc)
    find_program(rustup rustup PATHS "$ENV{HOME}/.cargo/bin" "$ENV{USERPROFILE}/.cargo/bin")
    set(problem "rustup has no nightly")
    if(rustup)
      execute_process(
        COMMAND ${rustup} which --toolchain nightly rustc
        OUTPUT_VARIABLE rustc OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    else()
      set(problem "there is no rustup")
    endif()
  endif()
  if(rustc)
    execute_process(
      COMMAND ${rustc} --print sysroot
      RESULT_VARIABLE status OUTPUT_VARIABLE sysroot OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    set(library "${sysroot}/lib/rustlib/src/rust/library")
    if(status EQUAL 0 AND EXISTS "${library}/core/src/lib.rs")
      set(${rustc_result} "${rustc}" PARENT_SCOPE)
      set(${library_result} "${library}" PARENT_SCOPE)
      return()
    endif()
    if(status EQUAL 0)
      set(problem "${rustc} has no sources of its library")
    else()
      string(APPEND problem ", which does not run")
    endif()
  endif()
  message(FATAL_ERROR
    "kernels/kernels.ptx is older than the kernels, and cannot be compiled: ${problem}. "
    "To install what is needed:\n"
    "  rustup toolchain install nightly --profile minimal --no-self-update\n"
    "  rustup component add rust-src --toolchain nightly\n"
    "Or set KERNELS_RUSTC to a rustc that has them. To build for the CPU alone: CUDA=OFF pip install .")
endfunction()

function(compile)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env RUSTC_BOOTSTRAP=1 ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# The parts of Rust's library that the kernels are compiled against: once for all packages. Nothing
# of it is linked, so descriptions are enough, with the bodies of functions to be inlined.
function(make_sysroot rustc library version result)
  string(SHA256 key "${version} ${flags}")
  string(SUBSTRING ${key} 0 16 key)
  cache_folder("${BUILD}" folder)
  set(complete "${folder}/rust-${key}")
  set(${result} "${complete}" PARENT_SCOPE)
  if(EXISTS "${complete}")
    return()
  endif()
  message(STATUS "Compiling Rust's core library for the GPU, once")
  string(RANDOM LENGTH 16 random) # another build may be at it
  set(sysroot "${complete}.${random}")
  set(target "${sysroot}/lib/rustlib/nvptx64-nvidia-cuda/lib")
  file(MAKE_DIRECTORY "${target}")
  set(metadata ${flags} --crate-type rlib -Zforce-unstable-if-unmarked -Zalways-encode-mir --cap-lints allow
    --emit metadata --out-dir "${target}")
  compile(${rustc} "${library}/core/src/lib.rs" --crate-name core ${metadata})
  # The compiler asks for this library too; GPU code calls nothing in it.
  file(WRITE "${sysroot}/builtins.rs" "#![feature(compiler_builtins)]\n#![compiler_builtins]\n#![no_std]\n")
  compile(${rustc} "${sysroot}/builtins.rs" --crate-name compiler_builtins ${metadata} --sysroot "${sysroot}")
  file(RENAME "${sysroot}" "${complete}" RESULT problem)
  if(problem)
    file(REMOVE_RECURSE "${sysroot}") # the other was faster
  endif()
endfunction()

# A panic is the instruction `trap`, after which the process cannot use the GPU any more. Instead
# it shall be reported to the host: see grid/panic/gpu.rs of the crate. The declaration is what the
# compiler makes of the definition, which some of them mark as one that does not return.
function(report_panics text result)
  set(head "[.]visible [.]func kernel_panicked[(][)]([ \t\n]+[.]noreturn)?")
  if(NOT text MATCHES "${head}[ \t\n]*{")
    message(FATAL_ERROR "the PTX has no kernel_panicked that could be declared")
  endif()
  string(REPLACE "trap; exit;" "{ call kernel_panicked, (); } exit;" text "${text}")
  set(declaration ".visible .func kernel_panicked()${CMAKE_MATCH_1};")
  string(REPLACE ".address_size 64\n" ".address_size 64\n\n${declaration}\n" text "${text}")
  string(REGEX REPLACE "[ \t]+\n" "\n" text "${text}")
  if(text MATCHES "trap;|[.]extern [.]func[^;]*;")
    message(FATAL_ERROR "the PTX holds what cannot be run: ${CMAKE_MATCH_0}")
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# Instructions of tensor cores, and copies that are waited for later, are written out in grid/tensor/ptx.rs of the crate.
# They came with this version and this architecture, which PTX is for only if it has them.
function(raise_target text result)
  if(text MATCHES "mma[.]sync|cp[.]async")
    string(REGEX REPLACE "[.]version 6[.][0-9]+\n" ".version 7.0\n" text "${text}")
    string(REPLACE ".target sm_75\n" ".target sm_80\n" text "${text}")
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

hash_of_sources(hash)
is_compiled_from(${hash} "${IMAGE}" done)
if(done)
  return()
endif()
is_compiled_from(${hash} "${shipped}" fresh)
if(fresh)
  file(COPY_FILE "${shipped}" "${IMAGE}")
  return()
endif()

find_rustc(rustc library)
execute_process(COMMAND ${rustc} -vV OUTPUT_VARIABLE version COMMAND_ERROR_IS_FATAL ANY)
make_sysroot("${rustc}" "${library}" "${version}" sysroot)
message(STATUS "Compiling the kernels for the GPU")
list_kernels("${BUILD}/functions.rs")
find_libm("${rustc}" libm)
# A module, not a crate: then the functions that no kernel calls are not compiled.
file(WRITE "${BUILD}/libm.rs" "#[path = \"${libm}/src/math/mod.rs\"]\n#[allow(warnings, unsafe_code)]\nmod libm;\n")
compile("OUT_DIR=${BUILD}" ${rustc} "${crate}/src/lib.rs" --crate-name kernels ${flags} ${checks} --sysroot "${sysroot}"
  "--remap-path-prefix=${KERNELS}=kernels" "--remap-path-prefix=${crate}=runtime/kernels"
  "--remap-path-prefix=${libm}=libm" --crate-type staticlib --emit asm -o "${IMAGE}.new")

file(READ "${IMAGE}.new" ptx)
report_panics("${ptx}" ptx)
raise_target("${ptx}" ptx)
string(REGEX MATCH "^rustc [^ ]+ [(][^)]+[)]" compiler "${version}")
file(WRITE "${IMAGE}.new" "// SHA-256 of the sources: ${hash}\n// compiled by ${compiler}; do not edit\n${ptx}")
assemble("${IMAGE}.new")
file(RENAME "${IMAGE}.new" "${IMAGE}")
if(NOT checks)
  file(COPY_FILE "${IMAGE}" "${shipped}" RESULT problem)
  if(problem)
    message(STATUS "kernels/kernels.ptx stays as it is: ${problem}")
  endif()
endif()
