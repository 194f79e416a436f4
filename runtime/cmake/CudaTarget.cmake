# What all targets with files in CUDA C++ have in common, whoever wrote these.
include_guard()

# cuda_target(<target> [OTHERS])
#
# OTHERS: the code is somebody else's, and its warnings are nobody's to fix.
function(cuda_target target)
  set(standard 17)
  if(CMAKE_CXX_STANDARD)
    set(standard ${CMAKE_CXX_STANDARD})
  endif()
  set(cuda_standard ${standard})
  if(CMAKE_CUDA_STANDARD)
    set(cuda_standard ${CMAKE_CUDA_STANDARD})
  endif()
  foreach(of IN ITEMS CXX CUDA)
    if(CMAKE_${of}_STANDARD MATCHES "^(98|03|11|14)$" AND NOT "OTHERS" IN_LIST ARGN)
      message(FATAL_ERROR "CMAKE_${of}_STANDARD is ${CMAKE_${of}_STANDARD}, but functions are C++17 or later. "
        "Set it to 17, 20 or 23, or leave it out")
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES
    POSITION_INDEPENDENT_CODE ON
    # Two packages in one process have templates of the same names.
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden CUDA_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    CXX_STANDARD ${standard} CXX_STANDARD_REQUIRED ON CUDA_STANDARD ${cuda_standard} CUDA_STANDARD_REQUIRED ON
    CXX_CLANG_TIDY "" # it does not know what nvcc compiles
    INTERPROCEDURAL_OPTIMIZATION OFF) # of nvcc that is another thing
  if(CMAKE_CUDA_COMPILER_LOADED)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-Wno-deprecated-gpu-targets>)
    if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13) # a fifth of the size
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--compress-mode=size>)
    endif()
  endif()
  if(DEBUG_KERNELS STREQUAL "lineinfo")
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo>)
  elseif(DEBUG_KERNELS STREQUAL "full")
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-G> $<$<COMPILE_LANGUAGE:C,CXX,CUDA>:-g>)
  endif()
  if(DEBUG)
    target_compile_definitions(${target} PRIVATE CUVEC_DEBUG)
  endif()
  if("OTHERS" IN_LIST ARGN)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-w> $<$<NOT:$<BOOL:${MSVC}>>:$<$<COMPILE_LANGUAGE:C,CXX>:-w>>)
  elseif(STRICT AND NOT MSVC)
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Werror>
      $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings;-Xcompiler=-Wall,-Wextra,-Werror>)
  endif()
endfunction()
