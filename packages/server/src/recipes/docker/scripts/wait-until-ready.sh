# Waits until the container that a task has started for a service may get requests:
# INSTALLATION ENVIRONMENT TASK SERVICE KIND PORT PATH HOST SECONDS
# KIND is health (its own check says so), http (PATH answers with 2xx or 3xx), port (something answers), running or completed.
container=$(docker ps --all --quiet --no-trunc --filter "label=shipway.installation=$1" --filter "label=shipway.environment=$2" \
  --filter "label=shipway.task=$3" --filter "label=shipway.service=$4") || exit 40
# Of a routed service PORT is not 0, and what answers there is the container only while Docker publishes it there.
[ -n "$container" ] || exit 40
shift 4
kind=$1 port=$2 path=$3 host=$4 seconds=$5
began=$(($(date +%s) - 60)) deadline=$(($(date +%s) + seconds))
calm=0

# A container that was started again has no exit code any more; the engine remembers how it ended. Whole seconds would leave out
# what happened in the last one; where there are no others, the engine is asked until the next one begins.
last_exit_code() {
  now=$(date +%s.%N)
  case $now in *[!0-9.]*) now=$(($(date +%s) + 1)) ;; esac
  docker events --since "$began" --until "$now" --filter "container=$container" --filter event=die \
    --format '{{.Actor.Attributes.exitCode}}' | tail -n 1
}

# Ends with what the container said last: most of the time that is the reason.
give_up() {
  echo "$1"
  echo "The last lines of its output:"
  docker logs --tail 100 -- "$container" 2>&1
  exit "$2"
}

answers() {
  code=$(curl --silent --output /dev/null --max-time 5 --noproxy '*' --globoff --path-as-is \
    --header "Host: $host" --write-out '%{http_code}' -- "http://127.0.0.1:$port$path")
  case $kind:$code in
    *:000) return 1 ;;
    port:*) return 0 ;;
    *:[23]??) return 0 ;;
  esac
  [ "$code" = "$last_code" ] || echo "$path answers with $code"
  last_code=$code
  return 1
}

is_published() {
  [ "$port" -eq 0 ] || case ,$published, in *",127.0.0.1:$port,"*) ;; *) false ;; esac
}

is_ready() {
  is_published || return
  case $kind in
    health) [ "$health" = healthy ] ;;
    http | port) answers ;;
    # Three looks in a row without an end or a restart.
    running) calm=$((calm + 1)); [ "$calm" -ge 3 ] ;;
    completed) false ;;
  esac
}

# Most are there within a moment: at first it is looked for more often. What merely has to stay needs its time.
pauses='0.02 0.02 0.02 0.05 0.05 0.05 0.1 0.1'
[ "$kind" != running ] || pauses=
rest() {
  pause=${pauses%% *}
  case $pauses in *' '*) pauses=${pauses#* } ;; *) pauses= ;; esac
  sleep "${pause:-0.2}"
}

last_code=
while :; do
  state=$(docker inspect --type container --format '{{.State.Status}} {{.RestartCount}} {{.State.ExitCode}} {{if .State.Health}}{{.State.Health.Status}}{{else}}none{{end}} {{range .NetworkSettings.Ports}}{{range .}}{{.HostIP}}:{{.HostPort}},{{end}}{{end}}' -- "$container") || exit 40
  read -r status restarts code health published <<END
$state
END
  case $status in
    exited | dead)
      [ "$kind:$code" != completed:0 ] || { echo "It has done its work"; exit 0; }
      give_up "It ended with exit code $code" 41 ;;
    running) [ "$restarts" -eq 0 ] || give_up "It was restarted after exit code $(last_exit_code)" 42
      [ "$health" != unhealthy ] || give_up "It says itself that it is unhealthy" 43
      if is_ready; then echo "It is ready"; exit 0; fi ;;
    restarting) give_up "It is restarted after exit code $(last_exit_code)" 42 ;;
  esac
  [ "$(date +%s)" -lt "$deadline" ] || is_published || give_up "Docker does not publish it on port $port" 45
  [ "$(date +%s)" -lt "$deadline" ] || give_up "It is not ready after $seconds seconds" 44
  rest
done
