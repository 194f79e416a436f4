# cache_key(<result> <text> <folder> <file of the folder>…)
#
# One number for all that decides what a compiler makes: the text, which names it with its flags, the files and the C library.
# An edit of a file configures the build again.
function(cache_key result text folder)
  foreach(file IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${folder}/${file}")
    file(SHA256 "${folder}/${file}" hash)
    string(APPEND text "\n${file} ${hash}")
  endforeach()
  execute_process(COMMAND ldd --version OUTPUT_VARIABLE libc ERROR_QUIET)
  string(SHA256 key "${text}\n${libc}")
  string(SUBSTRING ${key} 0 16 key)
  set(${result} ${key} PARENT_SCOPE)
endfunction()
