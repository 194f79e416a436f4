# Compiles the kernels NAME into PTX. Of the build's scripts this one and SharedAddresses.cmake, with modules.rs of the crate, decide
# what PTX is: they are a part of what is hashed, and the others are not.
include_guard()

include("${CMAKE_CURRENT_LIST_DIR}/SharedAddresses.cmake")

# PTX of this version, for this architecture, runs on all later ones; see raise_target. Whatever profiles of Cargo.toml say, these come after them.
set(flags
  -Ctarget-cpu=sm_75 -Copt-level=3 -Ccodegen-units=1 -Zunstable-options -Cpanic=immediate-abort
  -Csymbol-mangling-version=v0 -Coverflow-checks=off -Cdebug-assertions=off)
if(DEFINED ENV{KERNELS_CHECKED})
  set(checks -Coverflow-checks=on -Cdebug-assertions=on)
endif()

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

# Instructions of tensor cores, and copies that are waited for later, are written out in grid/tensor/ptx.rs of the crate.
# They came with this version and this architecture, which PTX is for only if it has them.
function(raise_target text result)
  if(text MATCHES "mma[.]sync|cp[.]async")
    string(REGEX REPLACE "[.]version 6[.][0-9]+\n" ".version 7.0\n" text "${text}")
    string(REPLACE ".target sm_75\n" ".target sm_80\n" text "${text}")
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

# The PTX of a file, of the modules that are compiled with it; and the list of the files that were read.
function(make_ptx name modules result read_result)
  set(made "${cargo_target}/${name}.s")
  list(JOIN modules "," modules)
  string(ASCII 31 separator) # cargo's
  set(of_rustc ${flags} ${checks} "--sysroot=${sysroot}" "--remap-path-prefix=${KERNELS}=kernels"
    "--remap-path-prefix=${runtime}=runtime/kernels" "--remap-path-prefix=${cargo_home}/registry/src=crates")
  list(JOIN of_rustc "${separator}" of_rustc)
  compile("RUSTC=${rustc}" "CARGO_ENCODED_RUSTFLAGS=${of_rustc}" "KERNELS=${KERNELS}" "KERNELS_FILES=${modules}"
    CARGO_PROFILE_RELEASE_LTO=fat CARGO_PROFILE_RELEASE_DEBUG=false CARGO_PROFILE_RELEASE_STRIP=false
    ${CARGO} rustc --quiet ${locked} --manifest-path "${CRATE}/Cargo.toml" --lib --release --target nvptx64-nvidia-cuda
    --target-dir "${cargo_target}" --crate-type staticlib -- "--emit=asm=${made}")
  file(READ "${made}" ptx)
  report_panics("${ptx}" ptx)
  use_shared_memory("${ptx}" ptx)
  raise_target("${ptx}" ptx)
  rename_symbols("${ptx}" ptx)
  set(${result} "${ptx}" PARENT_SCOPE)
  # `<library>: <file> <file>…`, as make reads it.
  file(READ "${cargo_target}/nvptx64-nvidia-cuda/release/libkernels.d" read)
  string(REGEX REPLACE "^[^\n]*: " "" read "${read}")
  string(STRIP "${read}" read)
  string(REPLACE "\\ " "?" read "${read}")
  string(REPLACE " " ";" read "${read}")
  string(REPLACE "?" " " read "${read}")
  set(${read_result} "${read}" PARENT_SCOPE)
endfunction()
