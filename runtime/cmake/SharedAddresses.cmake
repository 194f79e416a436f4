# Rust has no pointers that are known to be of shared memory, so what the compiler reads and writes there is by instructions that find
# out first which memory an address is of: they make the product of two matrices a quarter slower. Where the PTX of a kernel
# shows that an address is of shared memory, they become the instructions for shared memory.
#
# An address is followed through copies, additions and comparisons with others. A kernel that does anything else with one is
# left as it is.
include_guard()

# PTX with instructions for shared memory wherever it can have them.
function(use_shared_memory text result)
  set(made "")
  string(FIND "${text}" "\n}\n" end)
  while(end GREATER -1)
    math(EXPR end "${end} + 3")
    string(SUBSTRING "${text}" 0 ${end} kernel)
    string(SUBSTRING "${text}" ${end} -1 text)
    use_shared_memory_in("${kernel}" kernel)
    string(APPEND made "${kernel}")
    string(FIND "${text}" "\n}\n" end)
  endwhile()
  set(${result} "${made}${text}" PARENT_SCOPE)
endfunction()

# Rewrites the addresses of one kernel, and the text before it.
function(use_shared_memory_in kernel result)
  set(${result} "${kernel}" PARENT_SCOPE)
  set(start "cvta[.]shared[.]u64 (%rd[0-9]+), ([A-Z_]+)")
  string(REPLACE ";" "" lines "${kernel}") # which would end the elements of a list
  string(REGEX MATCHALL "${start}" starts "${lines}")
  list(TRANSFORM starts REPLACE "${start}" "\\1")
  set(of_shared "")
  set(next "${starts}")
  while(next)
    list(POP_FRONT next register)
    list(APPEND of_shared ${register})
    string(REGEX MATCHALL "[^\n]*${register}[^\n]*" uses "${lines}")
    foreach(use IN LISTS uses)
      if(NOT use MATCHES "${register}($|[^0-9])")
        continue() # a longer name
      elseif(use MATCHES "^\t(add[.]s64|mov[.]b64) \t(%rd[0-9]+), ")
        if(NOT CMAKE_MATCH_2 IN_LIST of_shared AND NOT CMAKE_MATCH_2 IN_LIST next)
          list(APPEND next ${CMAKE_MATCH_2})
        endif()
      elseif(use MATCHES "^\tsetp[.]|^\t${start}")
        continue()
      elseif(NOT use MATCHES "^\t(ld|st)([.]v[24])?[.][bsu][0-9]+ \t[^[]*\\[${register}[]+]"
          OR use MATCHES "${register}[^0-9].*${register}($|[^0-9])") # it is stored itself, or loaded over
        return()
      endif()
    endforeach()
  endwhile()
  # Whatever is copied or compared must be of shared memory as well, and so must one of the terms of a sum.
  string(REGEX MATCHALL "\t(add[.]s64|mov[.]b64|setp)[^\n]*" uses "${lines}")
  foreach(use IN LISTS uses)
    string(REGEX MATCHALL "%rd[0-9]+" registers "${use}")
    set(shared 0)
    foreach(register IN LISTS registers)
      if(register IN_LIST of_shared)
        math(EXPR shared "${shared} + 1")
      endif()
    endforeach()
    if(NOT shared EQUAL 0 AND NOT shared EQUAL 2)
      return()
    endif()
  endforeach()
  string(REGEX REPLACE "${start}" "mov.u64 \\1, \\2" kernel "${kernel}")
  foreach(register IN LISTS of_shared)
    string(REGEX REPLACE "\t(ld|st)([^\n[]*\\[${register}[]+])" "\t\\1.shared\\2" kernel "${kernel}")
  endforeach()
  set(${result} "${kernel}" PARENT_SCOPE)
endfunction()
