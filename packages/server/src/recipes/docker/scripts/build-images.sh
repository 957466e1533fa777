# Builds images, at most three at once: NAME COUNT WORD... for each, where COUNT words are its command
# A COUNT of 0 waits for those before it. Once one has failed, nothing more is begun.
start() {
  name=$1 count=$2
  shift 2
  others=$(($# - count))
  while [ "$count" -gt 0 ]; do
    set -- "$@" "$1"
    shift
    count=$((count - 1))
  done
  shift "$others"
  # The exit code of the first program in a pipe gets lost, so it takes a way of its own.
  exec 4>&1
  exit "$({ { "$@" 2>&1; echo "$?" >&3; } | sed -u "s/^/$name | /" >&4; } 3>&1)"
}

await() {
  failed=0
  for process in $running; do wait "$process" || failed=$?; done
  [ "$failed" -eq 0 ] || exit "$failed"
  running= count=0
}

running= count=0
while [ "$#" -gt 0 ]; do
  if [ "$2" -gt 0 ]; then
    start "$@" &
    running="$running $!" count=$((count + 1))
  fi
  [ "$2" -gt 0 ] && [ "$count" -lt 3 ] || await
  shift "$(($2 + 2))"
done
await
