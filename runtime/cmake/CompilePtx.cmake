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
#   KERNELS_PTXAS     the assembler that has to accept the PTX; default: PyPI's nvidia-cuda-nvcc
#   KERNELS_CHECKED   if set: compile with checks for overflow and `debug_assert!`, and leave ptx/ alone
cmake_minimum_required(VERSION 3.27...4.4)

include("${CMAKE_CURRENT_LIST_DIR}/Cache.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/MakePtx.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/HashKernels.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/Crates.cmake")

cmake_path(ABSOLUTE_PATH KERNELS NORMALIZE)
cmake_path(ABSOLUTE_PATH BUILD NORMALIZE)
if(NOT CRATE)
  kernels_crate("${KERNELS}" "${BUILD}" CRATE)
endif()
cmake_path(ABSOLUTE_PATH CRATE NORMALIZE)
cmake_path(ABSOLUTE_PATH IMAGES NORMALIZE)
cmake_path(SET runtime NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../kernels")
set(shipped "${KERNELS}/ptx")
file(REAL_PATH "${KERNELS}" kernels)
# Cargo mistakes what it has built of a package for the build of its copy elsewhere, and names the files of the first.
string(SHA256 place "${KERNELS} ${CRATE}")
string(SUBSTRING ${place} 0 8 place)
set(cargo_target "${BUILD}/gpu-${place}")

# Finds the assembler, or says how to get it. It is NVIDIA's, in a package of PyPI: in the environment that a frontend has made
# for the build, or in the one that it was started in. Any other one of CUDA will do.
function(find_ptxas result)
  set(ptxas "$ENV{KERNELS_PTXAS}")
  if(NOT ptxas)
    find_program(KERNELS_PYTHON NAMES python3 python)
    foreach(isolated IN ITEMS "" -I) # a build of pip hides from Python what is installed outside of it
      if(KERNELS_PYTHON AND NOT ptxas)
        execute_process(
          COMMAND ${KERNELS_PYTHON} ${isolated} -c
            "import importlib.metadata as m; print(*(f.locate() for f in m.files('nvidia-cuda-nvcc') if f.stem == 'ptxas'))"
          OUTPUT_VARIABLE ptxas OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
      endif()
    endforeach()
  endif()
  if(NOT ptxas)
    find_program(KERNELS_PTXAS ptxas PATHS "$ENV{CUDA_HOME}/bin" "$ENV{CUDA_PATH}/bin" /usr/local/cuda/bin)
    set(ptxas "${KERNELS_PTXAS}")
  endif()
  if(NOT EXISTS "${ptxas}")
    message(FATAL_ERROR
      "the kernels were compiled, but there is no ptxas to judge the PTX with, and the PTX stays as it "
      "was. To install it:\n"
      "  pip install --no-deps \"nvidia-cuda-nvcc==13.*\"\n"
      "Or set KERNELS_PTXAS to one.")
  endif()
  set(${result} "${ptxas}" PARENT_SCOPE)
endfunction()

# Ends the build if the file, PTX of the kernels NAME, is none that can be loaded.
function(assemble file name)
  find_ptxas(ptxas)
  file(STRINGS "${file}" target REGEX "^[.]target sm_" LIMIT_COUNT 1)
  string(REGEX MATCH "sm_[0-9]+" architecture "${target}")
  execute_process(
    COMMAND ${ptxas} -arch=${architecture} "${file}" -o "${file}.cubin"
    RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "ptxas refuses the PTX of kernels/${name}.rs, and kernels/ptx/${name}.ptx stays as it was:\n${said}")
  endif()
  file(REMOVE "${file}.cubin")
endfunction()

# True if the file is PTX that was compiled from sources of this hash, and nobody has edited it since.
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

# The first one that knows -Cpanic=immediate-abort.
set(LOWEST_RUSTC 1.92)

# Returns the sources of the compiler's library if it has them and is new enough; otherwise a problem.
function(check_rustc rustc library_result problem_result)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env RUSTUP_AUTO_INSTALL=0 ${rustc} --print sysroot
    RESULT_VARIABLE status OUTPUT_VARIABLE sysroot OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env RUSTUP_AUTO_INSTALL=0 ${rustc} --version
    OUTPUT_VARIABLE version ERROR_QUIET)
  set(library "${sysroot}/lib/rustlib/src/rust/library")
  if(NOT status EQUAL 0)
    set(${problem_result} "${rustc} does not run" PARENT_SCOPE)
  elseif(NOT EXISTS "${library}/core/src/lib.rs")
    set(${problem_result} "${rustc} has no sources of its library" PARENT_SCOPE)
  elseif(version MATCHES "^rustc ([0-9]+[.][0-9]+)" AND CMAKE_MATCH_1 VERSION_LESS LOWEST_RUSTC)
    set(${problem_result} "${rustc} is ${CMAKE_MATCH_1}, and kernels need ${LOWEST_RUSTC} or later" PARENT_SCOPE)
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
    "  rustup component add rust-src\n"
    "Or set KERNELS_RUSTC to a rustc, from ${LOWEST_RUSTC} on, that has the sources of its library. To build for the CPU alone: CUDA=OFF pip install .")
endfunction()

# Ends the build if a file was read that the hash does not cover: an edit of it would leave stale PTX.
function(check_read name files)
  get_property(hashed GLOBAL PROPERTY hashed_files)
  file(REAL_PATH "${runtime}/list.rs" script) # of which the part that decides is modules.rs
  file(REAL_PATH "${cargo_target}" made)
  foreach(file IN LISTS files)
    file(REAL_PATH "${file}" file)
    cmake_path(IS_PREFIX made "${file}" is_made)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${kernels}" OUTPUT_VARIABLE path)
    if(is_made OR IS_DIRECTORY "${file}" OR file STREQUAL script)
      continue()
    endif()
    if(path MATCHES "^([^/]+)[.]rs$")
      if(CMAKE_MATCH_1 IN_LIST read_${name})
        continue()
      endif()
    elseif(file IN_LIST hashed)
      continue()
    endif()
    message(FATAL_ERROR "kernels/${name}.rs reads ${file}, and an edit of that would not be noticed. Move it into a folder in kernels/.")
  endforeach()
endfunction()

# Removes what is linked with Rust's library as it was before somebody emptied the cache.
function(remove_if_linked_with_another sysroot)
  # It names the others, and is small.
  file(SHA256 "${sysroot}/lib/rustlib/nvptx64-nvidia-cuda/lib/libcompiler_builtins.rlib" hash)
  set(note "${cargo_target}/library")
  if(EXISTS "${note}")
    file(READ "${note}" last)
  endif()
  if(NOT hash STREQUAL last)
    file(REMOVE_RECURSE "${cargo_target}")
    file(WRITE "${note}" ${hash})
  endif()
endfunction()

# MakePtx.cmake makes the sysroot in the folder that this names.
function(cache_folder of_build result)
  set(${result} "${of_build}" PARENT_SCOPE)
endfunction()

# Has the sysroot in BUILD: from the cache, or made, and put there.
function(take_sysroot result)
  string(SHA256 key "${version} ${flags} linked") # as make_sysroot names it
  string(SUBSTRING ${key} 0 16 key)
  cache_take(rust-${key} "${BUILD}/rust-${key}" is_there)
  make_sysroot("${rustc}" "${library}" "${version}" sysroot)
  if(NOT is_there)
    cache_store(rust-${key} "${sysroot}")
  endif()
  set(${result} "${sysroot}" PARENT_SCOPE)
endfunction()

# Compiles a file with the modules that it needs into IMAGES/NAME.ptx.
function(compile_file name modules hash)
  set(image "${IMAGES}/${name}.ptx")
  make_ptx("${name}" "${modules}" ptx read)
  check_read("${name}" "${read}")
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
  take_sysroot(sysroot)
  remove_if_linked_with_another("${sysroot}")
  list(GET cargo_homes 0 cargo_home)
  list(LENGTH stale count)
  message(STATUS "Compiling the kernels for the GPU: ${count} of the files")
  foreach(name IN LISTS stale)
    compile_file("${name}" "${files_${name}}" ${hash_${name}})
  endforeach()
endif()

# PTX of files that are gone, and the PTX of all files in one, as there was before.
if(NOT checks)
  literal_path("${KERNELS}" literal)
  file(GLOB others "${literal}/ptx/*.ptx" "${literal}/kernels.ptx")
  foreach(other IN LISTS others)
    cmake_path(GET other STEM name)
    file(STRINGS "${other}" first LIMIT_COUNT 1)
    if(NOT name IN_LIST names AND first MATCHES "^// SHA-256 of the sources: ")
      file(REMOVE "${other}")
    endif()
  endforeach()
endif()
