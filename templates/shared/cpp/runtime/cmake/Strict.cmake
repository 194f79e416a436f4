# How C++ is compiled here. Warnings are errors for developers only: a user's compiler may be newer
# than this code and warn of things that nobody knew of.
include_guard()

option(STRICT "Turn warnings on, and into errors" OFF)

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CUDA_STANDARD 17)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# The module's symbols are nobody else's: only its init function is visible.
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_CUDA_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
# Functions of other libraries, Python's above all, are called without a detour through a table of jumps.
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-plt>)
  add_link_options($<$<LINK_LANGUAGE:CXX>:-fno-plt>) # where what is optimized as a whole is compiled
endif()
# A wheel is optimized as a whole, where the compiler can: it is smaller, and calls take less time.
if(SKBUILD_STATE STREQUAL "wheel" AND NOT DEFINED CMAKE_INTERPROCEDURAL_OPTIMIZATION)
  include(CheckIPOSupported)
  check_ipo_supported(RESULT CMAKE_INTERPROCEDURAL_OPTIMIZATION OUTPUT unsupported LANGUAGES CXX)
endif()

# compile_strictly(<target>)
function(compile_strictly target)
  if(STRICT AND MSVC)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:/W4 /WX>)
  elseif(STRICT)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Werror>)
  endif()
endfunction()

# compile_together(<target>): for a wheel, the files of each folder are compiled as one, for most of the time goes into reading
# headers. In an editable install, a file that was edited is compiled alone. CMAKE_UNITY_BUILD says otherwise.
function(compile_together target)
  get_target_property(files ${target} SOURCES)
  foreach(file IN LISTS files)
    get_filename_component(folder "${file}" DIRECTORY)
    get_filename_component(folder "${folder}" NAME)
    set_source_files_properties("${file}" PROPERTIES UNITY_GROUP "${folder}")
  endforeach()
  if(SKBUILD_STATE STREQUAL "wheel" AND NOT DEFINED CMAKE_UNITY_BUILD)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  endif()
endfunction()
