# shellcheck shell=bash
# For scripts that need something of Debian's: root has it installed, others are told how.

need() { # need COMMAND_OR_FILE DEBIAN_PACKAGE…
  if command -v "$1" >/dev/null || [[ -f $1 ]]; then
    return
  fi
  if [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null; then
    apt-get -qq update && apt-get -qq install -y --no-install-recommends "${@:2}" >/dev/null
  else
    echo "${0#./}: \`$1\` is missing; install it: apt-get install ${*:2}" >&2
    exit 1
  fi
}
