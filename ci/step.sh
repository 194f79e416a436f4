# shellcheck shell=bash
# step TITLE COMMAND…: runs one step of ci/test under a heading with the time since the start; names it if it fails.
# What each step took is written to the file $STEP_TIMES, of which ci/package/clock.py makes a table.

STEP_TIMES=$(mktemp)
export STEP_TIMES
trap 'rm -f "$STEP_TIMES" "$STEP_TIMES.used"' EXIT

used() { # seconds of the processor that ended children of this shell have used, into the variable $1
  local minutes user system LC_ALL=C
  times >"$STEP_TIMES.used"
  read -r user system < <(tail -n 1 "$STEP_TIMES.used")
  minutes=$((${user%%m*} + ${system%%m*}))
  user=${user#*m} system=${system#*m}
  printf -v "$1" %d $((60 * minutes + 10#${user%%.*} + 10#${system%%.*}))
}

step() {
  local title=$1 start=$SECONDS before after
  shift
  used before
  printf '\n=== %s [%02d:%02d] ===\n' "$title" $((SECONDS / 60)) $((SECONDS % 60))
  "$@" || {
    local status=$?
    printf "\nci/test: step \"%s\" failed (exit %d) after %02d:%02d\n  to repeat it alone: ci/only %s\n" \
      "$title" "$status" $((SECONDS / 60)) $((SECONDS % 60)) "$*" >&2
    exit "$status"
  }
  used after
  printf '%d\t%d\t%s\n' $((SECONDS - start)) $((after - before)) "$title" >>"$STEP_TIMES"
}
