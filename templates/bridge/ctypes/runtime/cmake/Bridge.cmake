# The library that the module `_core` loads. The name is one that Python's import system finds, so
# that it is found in an editable install too, and compiled again there when its sources change.
add_library(core MODULE
  src/argument.cpp
  src/array.cpp
  src/blocks.cpp
  src/buffer.cpp
  src/cpython.cpp
  src/device.cpp
  src/dlpack.cpp
  src/dtype.cpp
  src/error.cpp
  src/functions.cpp
  src/layout.cpp)
set_target_properties(core PROPERTIES PREFIX lib SUFFIX .so)
if(WIN32)
  set_target_properties(core PROPERTIES SUFFIX .pyd)
endif()
target_link_libraries(core PRIVATE host)
compile_strictly(core)
if(UNIX AND NOT APPLE)
  target_link_options(core PRIVATE LINKER:--exclude-libs,ALL) # keeps the symbols of archives inside
endif()
install(TARGETS core LIBRARY DESTINATION .)
