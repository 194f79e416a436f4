# The library that the module `_core` loads. The name is one that Python's import system finds, so
# that it is found in an editable install too, and compiled again there when its sources change.
set(bridge "${CMAKE_CURRENT_LIST_DIR}/../native/bridge")
add_library(core MODULE
  ${bridge}/argument.cpp
  ${bridge}/array.cpp
  ${bridge}/beside.cpp
  ${bridge}/blocks.cpp
  ${bridge}/buffer.cpp
  ${bridge}/cpython.cpp
  ${bridge}/device.cpp
  ${bridge}/dlpack.cpp
  ${bridge}/dtype.cpp
  ${bridge}/error.cpp
  ${bridge}/functions.cpp
  ${bridge}/kept.cpp
  ${bridge}/layout.cpp
  ${bridge}/lent.cpp
  ${bridge}/number.cpp
  ${bridge}/xla.cpp)
set_target_properties(core PROPERTIES PREFIX lib SUFFIX .so)
if(WIN32)
  set_target_properties(core PROPERTIES SUFFIX .pyd)
endif()
target_link_libraries(core PRIVATE host)
compile_strictly(core)
compile_together(core)
if(UNIX AND NOT APPLE)
  target_link_options(core PRIVATE LINKER:--exclude-libs,ALL) # keeps the symbols of archives inside
endif()
install(TARGETS core LIBRARY DESTINATION .)
