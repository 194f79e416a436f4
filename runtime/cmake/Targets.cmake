# Targets of native modules: what those with files in CUDA C++ have in common, which libraries they need, and where these are found when
# the package runs.
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

# linked_files(<result> <library>…)
#
# Files that a linker other than CMake's needs for these libraries, and for those that they need.
function(linked_files result)
  set(files "")
  foreach(library IN LISTS ARGN)
    string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" library "${library}")
    if(TARGET "${library}")
      get_target_property(type "${library}" TYPE)
      if(NOT type STREQUAL "INTERFACE_LIBRARY")
        list(APPEND files "$<TARGET_LINKER_FILE:${library}>")
      endif()
      get_target_property(more "${library}" INTERFACE_LINK_LIBRARIES)
      if(more)
        linked_files(files_of_those ${more})
        list(APPEND files ${files_of_those})
      endif()
    elseif(library MATCHES "^-|[/\\\\]")
      list(APPEND files "${library}")
    elseif(library AND NOT library MATCHES "[$:]") # a condition, or a target that is not there
      list(APPEND files "-l${library}")
    endif()
  endforeach()
  set(${result} "${files}" PARENT_SCOPE)
endfunction()

# bundle_libraries(<module> <folder> <library>…)
#
# Installs those among the libraries that are shared and made by this build, where the functions are, and has the module, which is
# installed in the folder, look there. Where other libraries were when it was linked, it looks as well.
function(bundle_libraries module folder)
  set(origin "$ORIGIN")
  if(APPLE)
    set(origin "@loader_path")
  endif()
  set(path "${origin}")
  if(folder STREQUAL "..") # of what is in it, this is where all else goes
    set(path "${origin}/cuvec")
  endif()
  set(bundled "")
  foreach(library IN LISTS ARGN)
    if(TARGET "${library}")
      get_target_property(aliased "${library}" ALIASED_TARGET)
      if(aliased)
        set(library "${aliased}")
      endif()
      get_target_property(type "${library}" TYPE)
      get_target_property(imported "${library}" IMPORTED)
      if(type STREQUAL "SHARED_LIBRARY" AND NOT imported)
        set_target_properties("${library}" PROPERTIES INSTALL_RPATH "${origin}")
        install(TARGETS "${library}" LIBRARY DESTINATION . NAMELINK_SKIP RUNTIME DESTINATION .)
        list(APPEND bundled "${library}")
      endif()
    endif()
  endforeach()
  if(ARGN AND TARGET ${module}) # else cargo links it
    set_target_properties(${module} PROPERTIES INSTALL_RPATH "${path}" INSTALL_RPATH_USE_LINK_PATH ON)
  endif()
  set(bundled "${bundled}" PARENT_SCOPE)
  set(bundled_path "${path}" PARENT_SCOPE)
endfunction()

# list_module(<folder> <name>)
#
# Tells the build backend of a module that is installed in the folder: it looks for that in the wheel.
function(list_module folder name)
  install(CODE "
if(DEFINED ENV{_CUVEC_MODULES})
  file(APPEND \"\$ENV{_CUVEC_MODULES}\" \"\${CMAKE_INSTALL_PREFIX}/${folder}/${name}\\n\")
endif()")
endfunction()
