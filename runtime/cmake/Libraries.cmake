# Libraries that native modules need: which files they are, and where they are found when the package runs.
include_guard()

# linked_files(<result> <library>…)
#
# What a linker that is not CMake's has to be told for these libraries, and for those that they need.
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
