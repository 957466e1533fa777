# Containers that wait for commands on this manager: the only task of a service holds one, and commands enter it. A Swarm itself has no way
# into a container, and gives its task the networks, secrets and configs of the service.

# held NAME: sets $held to the id of its container; empty where none runs here.
held() {
  held=$(docker ps --no-trunc --quiet --filter "label=com.docker.swarm.service.name=$1")
}

# enter WORD...: runs a word or two in $held. What ran there before may have replaced its programs: nothing waits for them without an end.
enter() {
  timeout -k 1 5 docker exec "$held" "$@" >/dev/null 2>&1
}

# start_hold NAME PENDING_SECONDS: starts the container, unless it runs, and waits for it. PENDING_SECONDS is how long the task may wait for a node.
start_hold() {
  docker service scale --detach -- "$1=1" >/dev/null || return
  pending_since='' running_since=''
  # The program that waits is not there at once, or not at all.
  until held "$1" && [ -n "$held" ] && enter sh -c :; do
    task=$(docker service ps --quiet --no-trunc -- "$1" | head -n 1)
    [ -z "$task" ] || task=$(docker inspect --type task --format \
      '{{.Status.State}} {{with .Status.ContainerStatus}}{{.ExitCode}}{{else}}0{{end}} {{.Status.Err}}' -- "$task")
    rest=${task#* }
    now=$(date +%s)
    case $task in
      'failed 127 '*)
        echo 'The image has no program sh, by which a container on a Swarm waits for the command' >&2
        return 1
        ;;
      complete* | failed* | rejected* | orphaned* | remove* | shutdown*)
        echo "The container could not be started: ${rest#* }" >&2
        return 1
        ;;
      new* | pending*)
        pending_since=${pending_since:-$now}
        if [ "$((now - pending_since))" -ge "$2" ]; then
          echo "The node did not take the container within $2 seconds: ${rest#* }" >&2
          return 1
        fi
        ;;
      running*)
        running_since=${running_since:-$now}
        if [ "$((now - running_since))" -ge 20 ]; then
          echo 'The container runs, but no command can enter it from this machine' >&2
          return 1
        fi
        ;;
    esac
    sleep 0.3
  done
}

# end_hold NAME SECONDS: gives whatever runs in the container so long to end by itself, and removes it. Fails where it could not be removed.
end_hold() {
  held "$1"
  turns=$(($2 * 5))
  # Only what waits ignores the signal.
  if [ "$turns" -gt 0 ] && [ -n "$held" ] && enter sh -c 'kill -s TERM -- -1'; then
    while [ "$turns" -gt 0 ]; do
      commands=$(docker inspect --type container --format '{{len .ExecIDs}}' -- "$held" 2>/dev/null) || break
      [ "$commands" != 0 ] || break
      turns=$((turns - 1))
      sleep 0.2
    done
  fi
  docker service rm -- "$1" >/dev/null 2>&1
}
