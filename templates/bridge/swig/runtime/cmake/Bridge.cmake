# The Python module `_core`, which SWIG writes from module/core.i in the limited API: one wheel for
# all versions.
include(${CMAKE_CURRENT_LIST_DIR}/Python.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/Swig.cmake)

set(SWIG_USE_SWIG_DEPENDENCIES ON) # an edit of an included .i file is seen
set_source_files_properties(${bridge}/module/core.i PROPERTIES
  CPLUSPLUS ON
  COMPILE_OPTIONS "-nogil;-Wextra;$<$<BOOL:${STRICT}>:-Werror>")
swig_add_library(_core TYPE MODULE LANGUAGE python NO_PROXY SOURCES ${bridge}/module/core.i)
get_target_property(written _core SOURCES)
set_source_files_properties(${written} PROPERTIES SKIP_LINTING ON) # clang-tidy is for people's code
if(TARGET Python::SABIModule)
  target_compile_definitions(_core PRIVATE Py_LIMITED_API=0x030b0000) # as target `python`
  if(NOT WIN32)
    set_target_properties(_core PROPERTIES SUFFIX ".${Python_SOSABI}.so")
  endif()
endif()
finish_module(_core)
