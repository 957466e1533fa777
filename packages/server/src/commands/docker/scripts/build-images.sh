# Builds images, at most three at once: POLICY PROOF, then NAME COUNT WORD... for each, where COUNT words are its command
# POLICY is what BuildKit may take from where. PROOF is a file that is as old as the last proof that Docker obeys policies here.
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

policy=$1 proof=$2
shift 2
if [ -z "$(find "$proof" -mmin -60 2>/dev/null)" ]; then
  if ! obeys_source_policy; then
    echo 'No policy'
    exit 1
  fi
  touch -- "$proof"
fi
printf '%s\n' "$policy" >policy.json
EXPERIMENTAL_BUILDKIT_SOURCE_POLICY=$PWD/policy.json
export EXPERIMENTAL_BUILDKIT_SOURCE_POLICY

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
