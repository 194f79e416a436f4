# cuvec_extension(<name> BINDINGS <tool> [SOURCES <file>…] [LIBRARIES <library>…])
#
# Builds the Python module <name> of src/, which is written by hand, and installs it beside the package's other files:
#
#   cpython nanobind pybind11   from SOURCES
#   swig                        from a file <name>.i and other SOURCES
#   ctypes                      the Python file <name>.py, and the library `lib<name>` from SOURCES
#   cargo                       the Rust crate of the package's Cargo.toml. What its SOURCES become, and LIBRARIES, its build script is to
#                               link, as rust/link.rs and rust/bridge.rs do: CUVEC_LINK names them, with | between them, and
#                               CUVEC_INCLUDE the headers; CUVEC_CUDA is set where there is code for GPUs in them
#
# LIBRARIES are targets of find_package and add_subdirectory, or files; a shared library that this build makes goes into the wheel.
# A file <name>.pyi beside them, with its types, is installed with the module.
# The targets of cuda_libraries are linked as well, and CUVEC_CUDA is set where they are.
# SOURCES may hold .cu files: nvcc compiles them, or without CUDA the C++ compiler does for the CPU alone. Any target
# can include cuvec/api.hpp that links the library `cuvec_api`.
include_guard()

include("${CMAKE_CURRENT_LIST_DIR}/Targets.cmake")

add_library(cuvec_api INTERFACE)
target_include_directories(cuvec_api INTERFACE "${RUNTIME}/include")
target_compile_features(cuvec_api INTERFACE cxx_std_17)

# A macro, for languages and packages belong to the folder that asks for them.
macro(cuvec_extension name)
  cmake_parse_arguments(extension "" "BINDINGS" "SOURCES;LIBRARIES" ${ARGN})
  get_property(extension_of_cuda GLOBAL PROPERTY CUDA_LIBRARIES)
  list(APPEND extension_LIBRARIES ${extension_of_cuda})
  set(extension_cuda ${extension_SOURCES})
  list(FILTER extension_cuda INCLUDE REGEX "\\.cu$")
  list(REMOVE_ITEM extension_SOURCES ${extension_cuda})
  set(extension_nvcc OFF)
  if(extension_SOURCES OR extension_cuda)
    enable_language(CXX)
  endif()
  if(extension_cuda AND CUDA)
    include("${RUNTIME}/cmake/FindNvcc.cmake")
    if(DEFINED ENV{CUDACXX} OR DEFINED CMAKE_CUDA_COMPILER)
      include("${RUNTIME}/cmake/Cuda.cmake")
      set(extension_nvcc ON)
    else() # the package's functions are in Rust alone
      message(WARNING "no nvcc found: ${extension_cuda} will work on the CPU alone. "
        "Add \"cuda-toolkit[nvcc,cccl]==13.0.*\" to build.requires in pyproject.toml")
    endif()
  endif()
  if(extension_cuda)
    extension_in_cuda(${name})
  endif()
  if(NOT extension_BINDINGS STREQUAL "ctypes")
    find_package(Python REQUIRED COMPONENTS Interpreter Development.Module ${SKBUILD_SABI_COMPONENT})
  endif()
  if(NOT COMMAND extension_with_${extension_BINDINGS})
    message(FATAL_ERROR "cuvec_extension: BINDINGS is `${extension_BINDINGS}`, but must be one of "
      "cpython, nanobind, pybind11, swig, ctypes and cargo")
  endif()
  cmake_language(CALL extension_with_${extension_BINDINGS} ${name})
  install(FILES ${name}.pyi DESTINATION .. OPTIONAL)
endmacro()

# The .cu files, as a library that the module links.
function(extension_in_cuda name)
  add_library(${name}_cuda STATIC ${extension_cuda})
  target_link_libraries(${name}_cuda PUBLIC cuvec_api ${extension_LIBRARIES})
  cuda_target(${name}_cuda)
  if(extension_nvcc)
    target_link_libraries(${name}_cuda PUBLIC CUDA::cudart_static)
    target_compile_definitions(${name}_cuda PUBLIC CUVEC_CUDA)
  elseif(MSVC)
    set_source_files_properties(${extension_cuda} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS /TP)
  else()
    set_source_files_properties(${extension_cuda} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS -xc++)
  endif()
endfunction()

# Settings that all modules from C++ have in common.
function(extension_finish name)
  target_link_libraries(${name} PRIVATE cuvec_api ${extension_LIBRARIES})
  if(extension_cuda)
    target_link_libraries(${name} PRIVATE ${name}_cuda)
  endif()
  set_target_properties(${name} PROPERTIES
    CXX_STANDARD 20 # for the names of arguments; cuvec/api.hpp takes 17
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  if(UNIX AND NOT APPLE)
    target_link_options(${name} PRIVATE LINKER:--gc-sections LINKER:--exclude-libs,ALL $<$<CONFIG:Release>:LINKER:-s>)
  endif()
  if(STRICT AND NOT MSVC AND NOT extension_BINDINGS STREQUAL "swig")
    target_compile_options(${name} PRIVATE -Wall -Wextra -Werror)
  endif()
  extension_check(${name} $<TARGET_FILE:${name}>)
  bundle_libraries(${name} .. ${extension_LIBRARIES})
  install(TARGETS ${name} LIBRARY DESTINATION .. RUNTIME DESTINATION ..)
  list_module(.. $<TARGET_FILE_NAME:${name}>)
endfunction()

# A symbol that is missing is an error of the build, not of the first import. A linker does not tell it from the symbols of
# Python, which no module links; the interpreter does. Libraries that are made by this build are not yet where the module looks.
function(extension_check target module)
  if(UNIX AND NOT CMAKE_CROSSCOMPILING AND NOT "${CMAKE_CXX_FLAGS}" MATCHES "-fsanitize")
    set(with "")
    foreach(library IN LISTS ARGN)
      list(APPEND with --modify "LD_LIBRARY_PATH=path_list_prepend:$<TARGET_FILE_DIR:${library}>")
    endforeach()
    add_custom_command(TARGET ${target} POST_BUILD
      COMMAND ${CMAKE_COMMAND} -E env ${with} "${Python_EXECUTABLE}" -c "import ctypes, os, sys; ctypes.CDLL(sys.argv[1], os.RTLD_NOW)" "${module}"
      VERBATIM)
  endif()
endfunction()

function(extension_with_cpython name)
  if(TARGET Python::SABIModule)
    set(abi USE_SABI ${SKBUILD_SABI_VERSION})
  endif()
  python_add_library(${name} MODULE WITH_SOABI ${abi} ${extension_SOURCES})
  extension_finish(${name})
endfunction()

function(extension_with_nanobind name)
  find_package(nanobind CONFIG REQUIRED) # after Python, so that it takes the one that was found
  nanobind_add_module(${name} STABLE_ABI FREE_THREADED NB_STATIC NB_SUPPRESS_WARNINGS
    NB_DOMAIN ${SKBUILD_PROJECT_NAME} # other packages made with nanobind have nothing to do with it
    ${extension_SOURCES})
  extension_finish(${name})
endfunction()

function(extension_with_pybind11 name)
  find_package(pybind11 CONFIG REQUIRED) # as above
  pybind11_add_module(${name} NO_EXTRAS ${extension_SOURCES})
  extension_finish(${name})
endfunction()

function(extension_with_swig name)
  extension_find_swig()
  include(UseSWIG)
  set_source_files_properties(${name}.i PROPERTIES
    CPLUSPLUS ON USE_TARGET_INCLUDE_DIRECTORIES ON COMPILE_OPTIONS "-nogil;-Wextra")
  swig_add_library(${name} TYPE MODULE LANGUAGE python
    SOURCES ${name}.i ${extension_SOURCES} OUTPUT_DIR "${CMAKE_CURRENT_BINARY_DIR}")
  target_include_directories(${name} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
  if(TARGET Python::SABIModule)
    target_link_libraries(${name} PRIVATE Python::SABIModule)
    target_compile_definitions(${name} PRIVATE Py_LIMITED_API=0x030b0000) # of Python 3.11
    if(NOT WIN32)
      set_target_properties(${name} PROPERTIES SUFFIX ".${Python_SOSABI}.so")
    endif()
  else()
    target_link_libraries(${name} PRIVATE Python::Module)
  endif()
  extension_finish(${name})
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/${name}.py" DESTINATION ..)
endfunction()

# The SWIG that SWIG_EXECUTABLE names, or the one in the Python that runs this build, or one on PATH.
function(extension_find_swig)
  if(NOT DEFINED SWIG_EXECUTABLE)
    ask_backend(programs installed swig data/bin/swig data/bin/swig.exe)
    ask_backend(libraries installed swig swig.swg)
    if(programs AND libraries)
      set(SWIG_EXECUTABLE "${programs}" CACHE FILEPATH "SWIG")
      cmake_path(GET libraries PARENT_PATH folder)
      set(SWIG_DIR "${folder}" CACHE PATH "SWIG's library")
    endif()
  endif()
  find_package(SWIG 4.4 REQUIRED COMPONENTS python)
endfunction()

# The name is one that Python's import system finds, so that it is found in an editable install too.
function(extension_with_ctypes name)
  add_library(${name} MODULE ${extension_SOURCES})
  set_target_properties(${name} PROPERTIES PREFIX lib SUFFIX .so)
  if(WIN32)
    set_target_properties(${name} PROPERTIES SUFFIX .pyd)
  endif()
  extension_finish(${name})
  install(FILES ${name}.py DESTINATION ..)
endfunction()

function(extension_with_cargo name)
  cargo_module(${name} built module)
  set(environment "")
  if(extension_cuda)
    if("${CMAKE_CXX_FLAGS}" MATCHES "-flto") # as in cargo_command
      target_compile_options(${name}_cuda PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-lto>)
    endif()
    list(PREPEND extension_LIBRARIES ${name}_cuda)
    list(APPEND environment "CUVEC_INCLUDE=${RUNTIME}/include" "CXX=${CMAKE_CXX_COMPILER}")
  endif()
  if(extension_nvcc OR extension_of_cuda)
    list(APPEND environment CUVEC_CUDA=ON)
  endif()
  if(extension_LIBRARIES)
    linked_files(files ${extension_LIBRARIES})
    bundle_libraries(${name} .. ${extension_LIBRARIES})
    if(bundled)
      list(APPEND files "-Wl,-rpath,${bundled_path}")
    endif()
    list(JOIN files "|" link)
    list(APPEND environment "CUVEC_LINK=${link}")
  endif()
  take_crates_of_core()
  cargo_target(${name} ${built} file
    CRATE "${PROJECT_SOURCE_DIR}" ARGUMENTS --lib ${module_features} --config "${RUNTIME}/rust/profiles.toml"
    ENVIRONMENT ${environment} ${pyo3_environment})
  add_custom_target(${name}_module ALL)
  add_dependencies(${name}_module ${name})
  foreach(library IN LISTS extension_LIBRARIES)
    if(TARGET ${library})
      add_dependencies(${name} ${library})
    endif()
  endforeach()
  extension_check(${name} "${file}" ${bundled})
  install(PROGRAMS "${file}" DESTINATION .. RENAME ${module})
  list_module(.. "${module}")
endfunction()
