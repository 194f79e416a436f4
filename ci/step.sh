# shellcheck shell=bash
# step TITLE COMMAND…: runs one step of ci/test under a heading with the time since the start; names it if it fails.
step() {
  local title=$1
  shift
  printf '\n=== %s [%02d:%02d] ===\n' "$title" $((SECONDS / 60)) $((SECONDS % 60))
  "$@" || {
    local status=$?
    printf "\nci/test: step \"%s\" failed (exit %d) after %02d:%02d\n  to repeat it alone: ci/only %s\n" \
      "$title" "$status" $((SECONDS / 60)) $((SECONDS % 60)) "$*" >&2
    exit "$status"
  }
}
