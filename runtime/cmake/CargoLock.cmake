# cargo_lock(<folder> <result>)
#
# `--locked`, if the crate in a folder has a Cargo.lock, of its own or of the workspace that it is in; cargo writes one otherwise.
include_guard()

function(cargo_lock folder result)
  set(${result} "" PARENT_SCOPE)
  file(STRINGS "${folder}/Cargo.toml" own_workspace REGEX "^\\[workspace\\]|^workspace *=")
  foreach(level RANGE 3)
    if(EXISTS "${folder}/Cargo.lock")
      set(${result} --locked PARENT_SCOPE)
      return()
    elseif(own_workspace)
      return()
    endif()
    cmake_path(GET folder PARENT_PATH folder)
  endforeach()
endfunction()
