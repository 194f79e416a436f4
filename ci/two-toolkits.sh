#!/usr/bin/env bash
# Makes a toolkit of two: `ci/two-toolkits.sh TOOLKIT NVCC FOLDER SM…` copies the first, whose nvcc then adds to each file machine code
# of the other, later nvcc for these GPUs, such as 100. Code for the CPU and the runtime stay as the first one has them.
#
# The copy's `nvcc` and `fatbinary` are this script: the one passes its command line on, the other has the later nvcc compile the
# same file again.
set -euo pipefail
here=$(dirname "$(realpath --no-symlinks "$0")")

case ${0##*/} in
  nvcc)
    COMMAND_LINE=$(printf '%q ' "$@")
    [[ $COMMAND_LINE != *" -c "* ]] || export COMMAND_LINE # not while CMake looks at the compiler
    exec -a "$here/nvcc" "$here/nvcc-itself" "$@" # by which name CMake knows it
    ;;
  fatbinary)
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    words=()
    eval "words=(${COMMAND_LINE:-})"
    arguments=()
    for ((i = 0; i < ${#words[@]}; i++)); do
      case ${words[i]} in
        -o | -MF | -MT | -gencode | -arch) i=$((i + 1)) ;;
        -c | -MD | --generate-code=* | -arch=* | --threads=*) ;;
        *) arguments+=("${words[i]}") ;;
      esac
    done
    images=()
    for sm in ${COMMAND_LINE:+$(cat "$here/later-gpus")}; do
      env -u COMMAND_LINE -u NVCC_APPEND_FLAGS \
        "$here/later/nvcc" "${arguments[@]}" -cubin -arch="sm_$sm" -o "$scratch/$sm.cubin"
      images+=("--image3=kind=elf,sm=$sm,file=$scratch/$sm.cubin")
    done
    "$here/fatbinary-itself" "$@" "${images[@]}" # older drivers may not read files of the later one
    ;;
  *)
    cp -r "$1" "$3"
    ln -s "$(dirname "$(realpath "$2")")" "$3/bin/later"
    for name in nvcc fatbinary; do
      mv "$3/bin/$name" "$3/bin/$name-itself"
      cp "$0" "$3/bin/$name"
    done
    echo "${@:4}" >"$3/bin/later-gpus"
    ;;
esac
