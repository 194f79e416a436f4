# A script of every build: whether the kernels are compiled for what CUDAARCHS says now. CMake looks at
# it when it configures, which a build that is there already, as one on import, does not do.
if(DEFINED ENV{CUDAARCHS} AND NOT "$ENV{CUDAARCHS}" STREQUAL BUILT)
  file(TOUCH "${CHANGED}") # and so the next build configures
  message(FATAL_ERROR
    "CUDAARCHS is $ENV{CUDAARCHS}, and this build compiles the kernels for ${BUILT}. "
    "The next one compiles them for $ENV{CUDAARCHS}: try again")
endif()
