# Assembles PTX as a driver does when it loads it, without a GPU.
include_guard()

# Finds the assembler, or says how to get it. It is NVIDIA's, in a package of PyPI: in the environment that a frontend has made
# for the build, or in the one that it was started in. Any other one of CUDA will do.
function(find_ptxas result)
  set(ptxas "$ENV{KERNELS_PTXAS}")
  if(NOT ptxas)
    find_program(KERNELS_PYTHON NAMES python3 python)
    foreach(isolated IN ITEMS "" -I) # a build of pip hides from Python what is installed outside of it
      if(KERNELS_PYTHON AND NOT ptxas)
        execute_process(
          COMMAND ${KERNELS_PYTHON} ${isolated} -c
            "import importlib.metadata as m; print(*(f.locate() for f in m.files('nvidia-cuda-nvcc') if f.stem == 'ptxas'))"
          OUTPUT_VARIABLE ptxas OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
      endif()
    endforeach()
  endif()
  if(NOT ptxas)
    find_program(KERNELS_PTXAS ptxas PATHS "$ENV{CUDA_HOME}/bin" "$ENV{CUDA_PATH}/bin" /usr/local/cuda/bin)
    set(ptxas "${KERNELS_PTXAS}")
  endif()
  if(NOT EXISTS "${ptxas}")
    message(FATAL_ERROR
      "the kernels were compiled, but there is no ptxas to judge the PTX with, and the PTX stays as it "
      "was. To install it:\n"
      "  pip install --no-deps \"nvidia-cuda-nvcc==13.*\"\n"
      "Or set KERNELS_PTXAS to one.")
  endif()
  set(${result} "${ptxas}" PARENT_SCOPE)
endfunction()

# Ends the build if the file, PTX of the kernels NAME, is none that can be loaded.
function(assemble file name)
  find_ptxas(ptxas)
  file(STRINGS "${file}" target REGEX "^[.]target sm_" LIMIT_COUNT 1)
  string(REGEX MATCH "sm_[0-9]+" architecture "${target}")
  execute_process(
    COMMAND ${ptxas} -arch=${architecture} "${file}" -o "${file}.cubin"
    RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "ptxas refuses the PTX of kernels/${name}.rs, and kernels/ptx/${name}.ptx stays as it was:\n${said}")
  endif()
  file(REMOVE "${file}.cubin")
endfunction()
