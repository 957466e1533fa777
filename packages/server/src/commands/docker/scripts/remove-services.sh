# Removes services of the Swarm, and waits until their containers are gone: ID...
[ "$#" -gt 0 ] || exit 0
# One after the other: Docker lists no task of any service where one of them goes just then.
tasks=$(for id in "$@"; do docker service ps --quiet --no-trunc --filter desired-state=running "$id" 2>/dev/null; done)
for id in "$@"; do
  said=$(docker service rm "$id" 2>&1) && continue
  case $said in
    # Another process may have removed it.
    *'not found'* | *'o such service'*) ;;
    *)
      printf '%s\n' "$said" >&2
      exit 1
      ;;
  esac
done
# A program that ignores its stop signal has some time; that of a node that is down is not waited for.
turns=0
while [ -n "$tasks" ] && [ "$turns" -lt 60 ]; do
  left=$(docker inspect --type task --format '{{.Status.State}}' $tasks 2>/dev/null | grep -xE 'running|starting|preparing|assigned|accepted|ready')
  [ -n "$left" ] || exit 0
  turns=$((turns + 1))
  sleep 0.5
done
exit 0
