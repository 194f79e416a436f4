# The Python module `_core`, whose functions SWIG writes from src/module/core.i, in the limited API:
# one wheel for all versions. There are no classes, so that -builtin would change nothing.
include(cmake/Python.cmake)
include(cmake/Swig.cmake)

set(SWIG_USE_SWIG_DEPENDENCIES ON) # an edit of an included .i file is seen
set_source_files_properties(src/module/core.i PROPERTIES
  CPLUSPLUS ON
  COMPILE_OPTIONS "-nogil;-Wextra;$<$<BOOL:${STRICT}>:-Werror>")
swig_add_library(_core TYPE MODULE LANGUAGE python NO_PROXY SOURCES src/module/core.i)
get_target_property(written _core SOURCES)
set_source_files_properties(${written} PROPERTIES SKIP_LINTING ON) # clang-tidy is for people's code
target_link_libraries(_core PRIVATE python)
compile_strictly(_core)
if(TARGET Python::SABIModule AND NOT WIN32)
  set_target_properties(_core PROPERTIES SUFFIX ".${Python_SOSABI}.so")
endif()
if(UNIX AND NOT APPLE)
  target_link_options(_core PRIVATE LINKER:--exclude-libs,ALL) # keeps the symbols of archives inside
endif()
install(TARGETS _core LIBRARY DESTINATION .)
