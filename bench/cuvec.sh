#!/usr/bin/env bash
# peers.sh PYTHON FOLDER: puts into FOLDER what is needed to build CuVec and NumCu on a machine with a GPU.
set -euo pipefail
python=$1 folder=$(realpath -m "$2")

[[ -e $folder/complete ]] && exit
rm -rf "$folder"
mkdir -p "$folder"
# Their metadata needs a build of its own, so pip cannot fetch them without building.
"$python" -m pip download --quiet --no-binary=cuvec,numcu --no-deps --dest "$folder" cuvec==6.0.1 numcu==2.1.0
"$python" -m pip download --quiet --only-binary=:all: --dest "$folder" 'setuptools_scm>=7' 'swig>=4,!=4.3'
touch "$folder/complete"
