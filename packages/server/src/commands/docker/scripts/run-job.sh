# Runs the only task of a service that was made to run once, prints what it prints, and ends as it does. The service is gone afterwards:
# NAME [PENDING_SECONDS]
# 125 stands for a task that could not be started, or was lost with its node; its reason is the last line.
name=$1
# How long the task may wait for a node: those that could take it are full, down or drained.
pending_seconds=${2:-180}
logs=
umask 077

remove() {
  [ -z "$logs" ] || kill "$logs" 2>/dev/null
  docker service rm -- "$name" >/dev/null 2>&1
}
finish() {
  trap '' TERM
  remove
  exit 143
}
trap finish TERM

printed=0
print_new() {
  tail -c "+$((printed + 1))" shown
  printed=$(wc -c <shown)
}

task() {
  id=$(docker service ps --quiet --no-trunc -- "$name" | head -n 1)
  [ -z "$id" ] || docker inspect --type task --format \
    '{{.Status.State}} {{with .Status.ContainerStatus}}{{.ExitCode}}{{else}}0{{end}} {{.DesiredState}}/{{.NodeID}} {{.Status.Err}}' -- "$id"
}

# is_lost DESIRED/NODE: the Swarm has given the task up, and its node is down or gone. When it comes back, it ends the container.
is_lost() {
  case $1 in '' | running/* | ready/* | accepted/* | */) return 1 ;; esac
  at=$(docker node inspect --format '{{.Status.State}}' -- "${1#*/}" 2>&1) || {
    case $at in *'No such node'* | *'not found'*) return 0 ;; esac
    return 1
  }
  [ "$at" = down ]
}

# name_of NODE: its name, or its id where it has no plain name any more.
name_of() {
  known=$(docker node inspect --format '{{.Description.Hostname}}' -- "$1" 2>/dev/null)
  case $known in '' | [!A-Za-z0-9]* | *[!A-Za-z0-9.-]*) known=$1 ;; esac
  printf '%s' "$known"
}

: >shown
docker service scale --detach -- "$name=1" >/dev/null || exit 125
docker service logs --raw --follow -- "$name" >shown 2>&1 &
logs=$!
said= pending_since=
while :; do
  seen=$(task)
  state=${seen%% *} rest=${seen#* }
  code=${rest%% *} rest=${rest#* }
  where=${rest%% *} rest=${rest#* }
  case $state in
    # The manager did not answer, or has not made the task yet.
    '') ;;
    complete | failed | rejected | orphaned | remove) break ;;
    new | pending)
      now=$(date +%s)
      pending_since=${pending_since:-$now}
      [ -z "$rest" ] || [ "$rest" = "$said" ] || { said=$rest; echo "It waits for a node: $rest"; }
      [ "$((now - pending_since))" -lt "$pending_seconds" ] || { state=unplaced; break; }
      ;;
    *)
      pending_since=
      ! is_lost "$where" || { state=lost; break; }
      ;;
  esac
  print_new
  sleep 0.5
done
# The follower may be behind: the rest is read again.
kill "$logs" 2>/dev/null
wait "$logs" 2>/dev/null
logs=
timeout 20 docker service logs --raw -- "$name" >all 2>&1
[ "$(wc -c <all)" -le "$(wc -c <shown)" ] || cat all >shown
print_new
remove
rm -f all shown
case $state in
  complete) exit 0 ;;
  failed) [ "$code" -eq 0 ] || exit "$code" ;;
  lost) echo "Its node $(name_of "${where#*/}") is down. What it did until then is not known, and the Swarm does not start it again" ;;
  unplaced) echo "No node took it within $pending_seconds seconds: $rest" ;;
esac
case $state in lost | unplaced) ;; *) echo "The task could not be started: $rest" ;; esac
exit 125
