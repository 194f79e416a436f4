# No wheel is made with a function that lacks code for a GPU that the build is for: it would fail on that GPU, in its first call.
# `doctor` says the same of a wheel that is there. An editable install is built after every edit, and for this machine alone.
include_guard()

if(CUDA AND SKBUILD_STATE STREQUAL "wheel")
  find_package(Python REQUIRED COMPONENTS Interpreter)
  add_custom_command(TARGET cuvec_functions POST_BUILD
    COMMAND "${Python_EXECUTABLE}" -ISB "${CMAKE_CURRENT_LIST_DIR}/check_code.py" $<TARGET_FILE:cuvec_functions>
    VERBATIM)
endif()
