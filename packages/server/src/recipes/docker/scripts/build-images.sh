# Builds images, at most three at once: NAME COUNT WORD... for each, where COUNT words are its command
# A COUNT of 0 waits for those before it. Once one has failed, nothing more is begun, and the last line names it.
unbuffered=-u
# Not every sed knows how to pass each line on at once.
printf '' | sed -u p >/dev/null 2>&1 || unbuffered=

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
  exit "$({ { "$@" 2>&1; echo "$?" >&3; } | sed $unbuffered "s/^/$name | /" >&4; } 3>&1)"
}

await() {
  failed=0 which=
  for build in $running; do
    wait "${build%%:*}" || failed=$? which=${which:-${build#*:}}
  done
  if [ "$failed" -ne 0 ]; then
    # What the others have said since may be long. A step runs in its folder, where its output is.
    grep -a "^$which | ERROR: " output | tail -n 1
    echo "Not built: $which"
    exit "$failed"
  fi
  running= count=0
}

running= count=0
while [ "$#" -gt 0 ]; do
  if [ "$2" -gt 0 ]; then
    start "$@" &
    running="$running $!:$1" count=$((count + 1))
  fi
  [ "$2" -gt 0 ] && [ "$count" -lt 3 ] || await
  shift "$(($2 + 2))"
done
await
