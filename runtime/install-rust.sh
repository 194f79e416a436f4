#!/bin/sh
# Installs Rust where wheels are built: versions that are known, from an installer that is checked by its sum.
#
#   sh install-rust.sh [COMPONENT…]     such as clippy, on Linux
set -eu
rustup=1.28.2
rust=1.95.0

# Runners of macOS and Windows have rustup.
if [ "$(uname -s)" != Linux ]; then
  rustup toolchain install "$rust" --profile minimal --no-self-update
  rustup default "$rust"
  exit
fi

machine=$(uname -m)
case $machine in
  x86_64) sum=20a06e644b0d9bd2fbdbfd52d42540bdde820ea7df86e92e533c073da0cdd43c ;;
  aarch64) sum=e3853c5a252fca15252d07cb23a1bdd9377a8c6f3efa01531109281ae47f841c ;;
  *) echo "install-rust.sh: no sum is known of the installer for $machine" >&2 && exit 1 ;;
esac

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
curl --proto '=https' --tlsv1.2 -sSf -o "$folder/rustup-init" \
  "https://static.rust-lang.org/rustup/archive/$rustup/$machine-unknown-linux-gnu/rustup-init"
echo "$sum  $folder/rustup-init" | sha256sum -c -
chmod +x "$folder/rustup-init"

for component; do
  set -- "$@" --component "$component"
  shift
done
"$folder/rustup-init" -y --profile minimal --default-toolchain "$rust" "$@"
