# cuda_libraries(<name>…)
#
# Links libraries of CUDA's, such as cufft, cublas, cublasLt, curand, cusolver and cusparse, to the functions of kernels/ and to the
# modules that cuvec_extension makes; other targets name them as `cuvec::cufft`, and what add_subdirectory adds behind this as
# `CUDA::cufft` too. Headers and libraries come from the toolkit, which has them from PyPI where the `dependencies` of pyproject.toml name
# them: "cuda-toolkit[cufft]==13.*".
#
# No module needs such a library to be imported, and no wheel holds one: each of its functions is a jump, which finds it in the library when
# it is called first (see cuda_library.cpp). Without CUDA nothing is linked.
include_guard()

include("${CMAKE_CURRENT_LIST_DIR}/Targets.cmake")

# A macro, because a language is enabled for the folder that asks for it.
macro(cuda_libraries)
  if(CUDA)
    include("${RUNTIME}/cmake/Cuda.cmake")
    enable_language(CXX)
    enable_language(ASM)
  endif()
  foreach(name IN ITEMS ${ARGN})
    add_cuda_library(${name})
  endforeach()
endmacro()

function(add_cuda_library name)
  if(NOT CUDA)
    add_library(cuvec_${name} INTERFACE)
    add_library(cuvec::${name} ALIAS cuvec_${name})
    return()
  elseif(WIN32)
    message(FATAL_ERROR "cuda_libraries: Windows is not supported. Link the toolkit's CUDA::${name}, and import then needs it")
  endif()
  find_cuda_library(${name})
  set(target cuvec_${name})
  add_library(${target} STATIC "${RUNTIME}/cmake/cuda_library.cpp" "${RUNTIME}/cmake/cuda_library.S")
  add_library(cuvec::${name} ALIAS ${target})
  cuda_target(${target})
  set_source_files_properties("${RUNTIME}/cmake/cuda_library.S" PROPERTIES OBJECT_DEPENDS "${symbols}")
  target_compile_features(${target} PRIVATE cxx_std_17)
  target_compile_definitions(${target} PRIVATE
    "CUVEC_LIBRARY=\"${file}\"" "CUVEC_REQUIREMENT=\"${requirement}\"" "CUVEC_FOLDER=\"${folder}\""
    "CUVEC_ADDRESS=cuvec_address_in_${name}" "CUVEC_MISSING=cuvec_missing_${name}" "CUVEC_SYMBOLS=\"${symbols}\"")
  target_compile_definitions(${target} INTERFACE CUVEC_CUDA)
  target_include_directories(${target} SYSTEM INTERFACE ${CUDAToolkit_INCLUDE_DIRS})
  target_link_libraries(${target} INTERFACE ${CMAKE_DL_LIBS} stdc++) # which cargo does not link
  if(NOT TARGET CUDA::${name}) # which CMake does not find in the toolkit from PyPI
    add_library(CUDA::${name} ALIAS ${target})
  endif()
  set_property(GLOBAL APPEND PROPERTY CUDA_LIBRARIES cuvec::${name})
  if(cuda_functions)
    target_link_libraries(cuvec_functions PRIVATE cuvec::${name})
  endif()
endfunction()

# Sets the `file` that is loaded, the `requirement` and the `folder` in which PyPI has it, and `symbols`, a list of its functions.
function(find_cuda_library name)
  string(TOLOWER "${name}" extra)
  string(REGEX REPLACE "lt$" "" extra "${extra}")
  set(requirement "cuda-toolkit[${extra}]==${CUDAToolkit_VERSION_MAJOR}.*")
  set(folder "nvidia/cu${CUDAToolkit_VERSION_MAJOR}/lib")
  if(CUDAToolkit_VERSION_MAJOR LESS 13)
    set(folder "nvidia/${extra}/lib")
  endif()
  file(GLOB found LIST_DIRECTORIES false "${CUDAToolkit_LIBRARY_DIR}/lib${name}.so.*")
  list(FILTER found INCLUDE REGEX "\\.so\\.[0-9]+$") # other names are links
  if(NOT found)
    message(FATAL_ERROR "cuda_libraries: there is no lib${name} in ${CUDAToolkit_LIBRARY_DIR}. "
      "Add \"${requirement}\" to `dependencies` in pyproject.toml; for a build without isolation: pip install \"${requirement}\"")
  endif()
  list(GET found -1 library)
  cmake_path(GET library FILENAME file)
  execute_process(COMMAND "${CMAKE_NM}" -D --defined-only "${library}" OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL " [TW] [A-Za-z_0-9]+" functions "${listed}")
  list(TRANSFORM functions REPLACE "^ [TW] (.*)$" "function \\1\n")
  list(REMOVE_DUPLICATES functions)
  list(JOIN functions "" text)
  set(symbols "${CMAKE_CURRENT_BINARY_DIR}/functions-of-${name}.inc")
  file(CONFIGURE OUTPUT "${symbols}" CONTENT "${text}" @ONLY)
  return(PROPAGATE file requirement folder symbols)
endfunction()
