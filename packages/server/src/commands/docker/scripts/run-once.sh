# Runs a container to its end, and ends and removes it when this is ended: CONTAINER WORD...
container=$1
shift

finish() {
  trap '' TERM
  kill "$run" 2>/dev/null
  docker stop -- "$container" >/dev/null 2>&1
  docker rm --force -- "$container" >/dev/null 2>&1
  wait
  exit 143
}
trap finish TERM

"$@" &
run=$!
wait "$run"
