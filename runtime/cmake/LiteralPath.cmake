# literal_path(<path> <result>)
#
# The path in a pattern of file(GLOB): it may hold what a pattern means otherwise.
function(literal_path path result)
  string(REGEX REPLACE "([][*?])" "[\\1]" literal "${path}")
  set(${result} "${literal}" PARENT_SCOPE)
endfunction()
