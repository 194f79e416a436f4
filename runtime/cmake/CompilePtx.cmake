# Makes the images of the kernels in the folder KERNELS: for each file NAME.rs there is one, IMAGES/NAME.ptx. It is a copy
# of ptx/NAME.ptx of the folder if that was compiled from the sources as they are now; otherwise it is compiled here,
# and ptx/NAME.ptx is brought up to date.
#
#   cmake -D KERNELS=<folder> -D BUILD=<folder> -D IMAGES=<folder> [-D CRATE=<folder>] -P CompilePtx.cmake
#
# CRATE is the folder where cargo finds their Cargo.toml, if that is not KERNELS.
#
# Environment:
#   KERNELS_RUSTC     the compiler, with its library's sources beside it; default: rustup's
#   KERNELS_PTXAS     the assembler that has to accept the PTX; default: that of PyPI's nvidia-cuda-nvcc
#   KERNELS_CHECKED   if set: compile with checks for overflow and `debug_assert!`, and leave ptx/ alone
cmake_minimum_required(VERSION 3.27...4.4)

include("${CMAKE_CURRENT_LIST_DIR}/CacheFolder.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/Ptxas.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/HashKernels.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/KernelsCrate.cmake")

cmake_path(ABSOLUTE_PATH KERNELS NORMALIZE)
cmake_path(ABSOLUTE_PATH BUILD NORMALIZE)
if(NOT CRATE)
  kernels_crate("${KERNELS}" "${BUILD}" CRATE)
endif()
cmake_path(ABSOLUTE_PATH CRATE NORMALIZE)
cmake_path(ABSOLUTE_PATH IMAGES NORMALIZE)
cmake_path(SET runtime NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../kernels")
set(shipped "${KERNELS}/ptx")

# PTX of this version, for this architecture, runs on all later ones.
set(flags
  -Ctarget-cpu=sm_75 -Copt-level=3 -Ccodegen-units=1 -Zunstable-options -Cpanic=immediate-abort
  -Csymbol-mangling-version=v0)
if(DEFINED ENV{KERNELS_CHECKED})
  set(checks -Coverflow-checks=on -Cdebug-assertions=on)
endif()

# Whether the file is PTX that was compiled from sources of this hash, and nobody has edited it since.
function(is_compiled_from hash file result)
  set(${result} FALSE PARENT_SCOPE)
  if(EXISTS "${file}")
    file(READ "${file}" text)
    string(REPLACE "\r\n" "\n" text "${text}")
    if(text MATCHES "^// SHA-256 of the sources: ${hash}\n// SHA-256 of what follows: ([0-9a-f]+)\n(.*)$")
      set(written "${CMAKE_MATCH_1}")
      string(SHA256 found "${CMAKE_MATCH_2}")
      if(found STREQUAL written)
        set(${result} TRUE PARENT_SCOPE)
      endif()
    endif()
  endif()
endfunction()

# Whether the compiler has the sources of its library; what is wrong, otherwise.
function(check_rustc rustc library_result problem_result)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env RUSTUP_AUTO_INSTALL=0 ${rustc} --print sysroot
    RESULT_VARIABLE status OUTPUT_VARIABLE sysroot OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  set(library "${sysroot}/lib/rustlib/src/rust/library")
  if(NOT status EQUAL 0)
    set(${problem_result} "${rustc} does not run" PARENT_SCOPE)
  elseif(NOT EXISTS "${library}/core/src/lib.rs")
    set(${problem_result} "${rustc} has no sources of its library" PARENT_SCOPE)
  else()
    set(${library_result} "${library}" PARENT_SCOPE)
  endif()
endfunction()

# Finds a compiler and its library's sources, or says how to get them.
function(find_rustc rustc_result library_result)
  set(candidates "$ENV{KERNELS_RUSTC}")
  set(problem "there is no rustup")
  if(NOT candidates)
    find_program(rustup rustup PATHS "$ENV{HOME}/.cargo/bin" "$ENV{USERPROFILE}/.cargo/bin")
    if(rustup)
      set(problem "rustup has no compiler")
      foreach(toolchain IN ITEMS stable nightly)
        execute_process(
          COMMAND ${CMAKE_COMMAND} -E env RUSTUP_AUTO_INSTALL=0 ${rustup} which --toolchain ${toolchain} rustc
          RESULT_VARIABLE status OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        if(status EQUAL 0 AND found)
          list(APPEND candidates "${found}")
        endif()
      endforeach()
    endif()
  endif()
  foreach(rustc IN LISTS candidates)
    unset(library)
    check_rustc("${rustc}" library problem)
    if(library)
      set(${rustc_result} "${rustc}" PARENT_SCOPE)
      set(${library_result} "${library}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  list(JOIN stale ", " names)
  message(FATAL_ERROR
    "the PTX of ${names}, in kernels/ptx, is not of the kernels as they are, and cannot be compiled: ${problem}. "
    "To install what is needed:\n"
    "  rustup toolchain install stable --profile minimal --component rust-src --no-self-update\n"
    "Or set KERNELS_RUSTC to a rustc that has the sources of its library. To build for the CPU alone: CUDA=OFF pip install .")
endfunction()

function(compile)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env RUSTC_BOOTSTRAP=1 RUSTUP_AUTO_INSTALL=0 ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# The part of Rust's library that the kernels are linked with: once for all packages.
function(make_sysroot rustc library version result)
  string(SHA256 key "${version} ${flags} linked")
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
  set(linked --target nvptx64-nvidia-cuda ${flags} --edition 2024 --crate-type rlib -Zforce-unstable-if-unmarked
    --cap-lints allow --out-dir "${target}")
  compile(${rustc} "${library}/core/src/lib.rs" --crate-name core ${linked})
  # The compiler asks for this library too; GPU code calls nothing in it.
  file(WRITE "${sysroot}/builtins.rs" "#![feature(compiler_builtins)]\n#![compiler_builtins]\n#![no_std]\n")
  compile(${rustc} "${sysroot}/builtins.rs" --crate-name compiler_builtins ${linked} --sysroot "${sysroot}")
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

# Names hold numbers that cargo makes of the path of a crate: without these, PTX is the same wherever it was made.
function(rename_symbols text result)
  string(REGEX REPLACE "Cs[0-9A-Za-z]+_([0-9])" "C\\1" text "${text}")
  string(REGEX MATCHALL "anon_[$]_[0-9a-f]+" names "${text}")
  list(REMOVE_DUPLICATES names)
  set(count 0)
  foreach(name IN LISTS names)
    string(REPLACE "${name}" "anon_$_of${count}" text "${text}")
    math(EXPR count "${count} + 1")
  endforeach()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# Compiles the files of a list, of which the first is NAME, into IMAGES/NAME.ptx.
function(compile_file name files hash)
  set(image "${IMAGES}/${name}.ptx")
  set(made "${BUILD}/gpu/${name}.s")
  list(JOIN files "," files)
  string(ASCII 31 separator) # cargo's
  set(of_rustc ${flags} ${checks} "--sysroot=${sysroot}" "--remap-path-prefix=${KERNELS}=kernels"
    "--remap-path-prefix=${runtime}=runtime/kernels" "--remap-path-prefix=${cargo_home}/registry/src=crates")
  list(JOIN of_rustc "${separator}" of_rustc)
  compile("RUSTC=${rustc}" "CARGO_ENCODED_RUSTFLAGS=${of_rustc}" "KERNELS=${KERNELS}" "KERNELS_FILES=${files}" CARGO_PROFILE_RELEASE_LTO=fat
    CARGO_PROFILE_RELEASE_DEBUG=false CARGO_PROFILE_RELEASE_STRIP=false
    ${cargo} rustc --quiet ${locked} --manifest-path "${CRATE}/Cargo.toml" --lib --release --target nvptx64-nvidia-cuda
    --target-dir "${BUILD}/gpu" --crate-type staticlib -- "--emit=asm=${made}")
  file(READ "${made}" ptx)
  report_panics("${ptx}" ptx)
  rename_symbols("${ptx}" ptx)
  string(REGEX MATCH "^rustc [^ ]+ [(][^)]+[)]" compiler "${version}")
  set(ptx "// compiled by ${compiler}; do not edit\n${ptx}")
  string(SHA256 of_text "${ptx}")
  file(WRITE "${image}.new" "// SHA-256 of the sources: ${hash}\n// SHA-256 of what follows: ${of_text}\n${ptx}")
  assemble("${image}.new" "${name}")
  file(RENAME "${image}.new" "${image}")
  if(NOT checks)
    file(MAKE_DIRECTORY "${shipped}")
    file(COPY_FILE "${image}" "${shipped}/${name}.ptx" RESULT problem)
    if(problem)
      message(STATUS "kernels/ptx/${name}.ptx stays as it is: ${problem}")
    endif()
  endif()
endfunction()

hash_kernels(names)
file(MAKE_DIRECTORY "${IMAGES}")
set(stale "")
foreach(name IN LISTS names)
  is_compiled_from(${hash_${name}} "${IMAGES}/${name}.ptx" done)
  if(NOT done)
    is_compiled_from(${hash_${name}} "${shipped}/${name}.ptx" fresh)
    if(fresh)
      file(COPY_FILE "${shipped}/${name}.ptx" "${IMAGES}/${name}.ptx")
    else()
      list(APPEND stale "${name}")
    endif()
  endif()
endforeach()

if(stale)
  find_rustc(rustc library)
  execute_process(COMMAND ${rustc} -vV OUTPUT_VARIABLE version COMMAND_ERROR_IS_FATAL ANY)
  make_sysroot("${rustc}" "${library}" "${version}" sysroot)
  find_cargo("${rustc}" cargo)
  set(cargo_home "$ENV{CARGO_HOME}")
  if(NOT cargo_home)
    set(cargo_home "$ENV{HOME}$ENV{USERPROFILE}/.cargo")
  endif()
  list(LENGTH stale count)
  message(STATUS "Compiling the kernels for the GPU: ${count} of the files")
  foreach(name IN LISTS stale)
    compile_file("${name}" "${files_${name}}" ${hash_${name}})
  endforeach()
endif()

# PTX of files that are gone, and that of all files in one, as there was before.
if(NOT checks)
  file(GLOB others "${shipped}/*.ptx" "${KERNELS}/kernels.ptx")
  foreach(other IN LISTS others)
    cmake_path(GET other STEM name)
    file(STRINGS "${other}" first LIMIT_COUNT 1)
    if(NOT name IN_LIST names AND first MATCHES "^// SHA-256 of the sources: ")
      file(REMOVE "${other}")
    endif()
  endforeach()
endif()
