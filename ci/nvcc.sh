#!/bin/bash
# nvcc, as CMAKE_CUDA_COMPILER_LAUNCHER: what it makes for one package is kept for the others in the folder $NVCC_CACHE. Paths do
# not count, the text of the source and of all headers in folders of -I does. sccache has most of it done again in another folder.
set -euo pipefail

toolkit=${1%/bin/nvcc}
flags=() folders=() source='' object='' target='' depends='' before=''
for argument in "${@:2}"; do
  case $before:$argument in
    -c:*) source=$argument ;;
    -o:*) object=$argument ;;
    -MT:*) target=$argument ;;
    -MF:*) depends=$argument ;;
    *:-I*) folders+=("${argument#-I}") ;;
    *) flags+=("${argument//"$toolkit"/}") ;;
  esac
  before=$argument
done
# A header beside the source is in none of these folders.
if [[ -z ${NVCC_CACHE:-} || -z $depends || ! -f $source || ${#folders[@]} == 0 ]] || grep -q '^ *# *include *"' "$source"; then
  exec "$@"
fi

readarray -d '' headers < <(find "${folders[@]}" -type f -print0 | sort --zero-terminated)
name=${source%.cu} name=${name##*/} # CUVEC_EXPORT compares it
sum=$( ("$1" --version && printf '%s\n' "${flags[@]}" "$name" && cat "$source" "${headers[@]}") | sha256sum)
made=$NVCC_CACHE/${sum%% *}.o
if [[ -f $made ]]; then
  cp "$made" "$object"
  needed=("$source" "${headers[@]}")
  (printf '%s:' "$target" && printf ' %s' "${needed[@]// /\\ }" && echo) >"$depends"
else
  "$@"
  cp "$object" "$made.$$"
  mv "$made.$$" "$made"
fi
