# Waits until the container that a task has started for a service may get requests:
# INSTALLATION ENVIRONMENT TASK SERVICE KIND PORT PATH HOST SECONDS INSIDE [NAME]
# KIND is health (its own check says so), http (PATH answers with 2xx or 3xx), port (something answers), running or completed.
# NAME is that of the container, where it is known.
container=${11-}
[ -n "$container" ] || container=$(docker ps --all --quiet --no-trunc --filter "label=shipway.installation=$1" --filter "label=shipway.environment=$2" \
  --filter "label=shipway.task=$3" --filter "label=shipway.service=$4") || exit 40
# Of a routed service PORT is not 0, and what answers there is the container only while Docker publishes it there.
[ -n "$container" ] || exit 40
shift 4
kind=$1 port=$2 path=$3 host=$4 seconds=$5 inside=$6
now=$(date +%s)
began=$((now - 60)) deadline=$((now + seconds))
calm=0 rounds=0 process= listens= before= since=0 said= image=

# A container that was started again has no exit code any more; the engine remembers how it ended. Whole seconds would leave out
# what happened in the last one; where there are no others, the engine is asked until the next one begins.
last_exit_code() {
  now=$(date +%s.%N)
  case $now in *[!0-9.]*) now=$(($(date +%s) + 1)) ;; esac
  docker events --since "$began" --until "$now" --filter "container=$container" --filter event=die \
    --format '{{.Actor.Attributes.exitCode}}' | tail -n 1
}

# What the container's own health check printed when it was done last.
show_check() {
  docker inspect --type container --format '{{if .State.Health}}{{range .State.Health.Log}}Its health check ended with exit code {{.ExitCode}}:
{{.Output}}
{{end}}{{end}}' -- "$container" | awk '/^Its health check ended with exit code -?[0-9]+:$/ { text = "" } NF { text = text $0 "\n" } END { if (text !~ /^Its health check ended with exit code 0:/) printf "%s", substr(text, 1, 4000) }'
}

# Where it may not write, if that is what it complains of.
say_read_only() {
  docker logs --tail 100 -- "$container" 2>&1 | grep -qi -e EROFS -e 'read-only file system' || return
  docker inspect --type container --format '{{range .Mounts}}{{if not .RW}}{{println .Destination}}{{end}}{{end}}' -- "$container" |
    sed -n 's|^\(/[^ ]\{1,200\}\)$|Mounted read-only: \1|p' | head -n 10
}

# Ends with what the container said last: most of the time that is the reason.
give_up() {
  echo "$1"
  # However short the time was.
  [ "$2" -ne 44 ] || { since=0; say_elsewhere; }
  case $2:$kind in 43:* | 44:health) show_check ;; esac
  [ "$2:$listens" != 44: ] || [ -z "$(exposed)" ] || echo "Its image exposes $(exposed)"
  say_read_only
  echo "The last lines of its output:"
  docker logs --tail 100 -- "$container" 2>&1
  exit "$2"
}

answers() {
  code=$(curl --silent --output /dev/null --max-time 5 --noproxy '*' --globoff --path-as-is \
    --header "Host: $host" --write-out '%{http_code}' -- "http://127.0.0.1:$port$path")
  case $kind:$code in
    *:000) return 1 ;;
    port:* | health:*) return 0 ;;
    *:[23]??) return 0 ;;
  esac
  [ "$code" = "$last_code" ] || echo "$path answers with $code"
  last_code=$code
  return 1
}

# The ports that the image says it listens on, separated by ", ".
exposed() {
  docker image inspect --format '{{range $port, $_ := .Config.ExposedPorts}}{{$port}} {{end}}' -- \
    "$(docker inspect --type container --format '{{.Image}}' -- "$container")" 2>/dev/null |
    tr ' ' '\n' | sed -n 's|^\([0-9]\{1,5\}\)/tcp$|\1|p' | head -n 10 | paste -s -d , - | sed 's/,/, /g'
}

# About once a second: where it listens, and since when it has been so.
look_inside() {
  [ "$inside" -gt 0 ] || return
  rounds=$((rounds + 1))
  [ "$((rounds % rounds_a_second))" -eq 1 ] || return
  grep -qsF -- "$container" "/proc/$process/cgroup" || process=$(process_of "$container")
  listens=
  [ -z "$process" ] || listens=$(listeners "$process" "$inside")
  [ "$listens" = "$before" ] || since=$(date +%s)
  before=$listens
}

# It listens, but not where requests would come in.
is_elsewhere() {
  [ -n "$listens" ] && [ "$listens" != named ]
}

# Said once two polls have seen it: a server may come by several ports as it starts.
say_elsewhere() {
  is_elsewhere && [ "$listens" != "$said" ] && [ "$since" -lt "$(date +%s)" ] || return
  said=$listens
  echo "No request gets in at port $inside: it listens on $listens"
}

# For how many seconds it must have been so until no more is waited for; nothing where it may yet change. docs/recipes.md has the rule.
hopeless_after() {
  case ", $listens," in *", 127.0.0.1:$inside,"*) echo 10; return ;; esac
  case $image in *" $inside "*) return ;; esac
  for word in $(echo "$listens" | tr -d ,); do
    case $word in *:*) continue ;; esac
    case $image in
      "  ") echo 30; return ;;
      *" $word "*) echo 10; return ;;
    esac
  done
}

is_hopeless() {
  is_elsewhere || return
  elapsed=$(($(date +%s) - since))
  case $kind:$health in http:* | port:* | health:healthy) [ "$elapsed" -ge 10 ] || return ;; *) return 1 ;; esac
  [ -n "$image" ] || image=" $(exposed | tr -d ,) "
  limit=$(hopeless_after)
  [ -n "$limit" ] && [ "$elapsed" -ge "$limit" ]
}

is_published() {
  [ "$port" -eq 0 ] || case ,$published, in *",127.0.0.1:$port,"*) ;; *) false ;; esac
}

is_ready() {
  is_published || return
  case $kind in
    # A healthy one that listens elsewhere would get no request.
    health) [ "$health" = healthy ] && { rounds=0; look_inside; ! is_elsewhere || answers; } ;;
    http | port) answers ;;
    # Three polls in a row without an end or a restart.
    running) calm=$((calm + 1)); [ "$calm" -ge 3 ] ;;
    completed) false ;;
  esac
}

# Most are ready within a moment: polls often at first and less after some seconds, since each poll takes processes.
polls=0 rounds_a_second=5
# What merely has to stay needs its time.
[ "$kind" != running ] || polls=8
rest() {
  polls=$((polls + 1))
  case $polls in
    [1-3]) sleep 0.02 ;;
    [4-6]) sleep 0.05 ;;
    [78]) sleep 0.1 ;;
    9 | [12]?) sleep 0.2 ;;
    *) rounds_a_second=2; sleep 0.5 ;;
  esac
}

last_code=
while :; do
  state=$(docker inspect --type container --format '{{.ID}} {{.State.Status}} {{.RestartCount}} {{.State.ExitCode}} {{if .State.Health}}{{.State.Health.Status}}{{else}}none{{end}} {{range .NetworkSettings.Ports}}{{range .}}{{.HostIP}}:{{.HostPort}},{{end}}{{end}}' -- "$container") || exit 40
  read -r container status restarts code health published <<END
$state
END
  case $status in
    exited | dead)
      [ "$kind:$code" != completed:0 ] || { echo "It has done its work"; exit 0; }
      give_up "It ended with exit code $code" 41 ;;
    running) [ "$restarts" -eq 0 ] || give_up "It was restarted after exit code $(last_exit_code)" 42
      [ "$health" != unhealthy ] || give_up "It says itself that it is unhealthy" 43
      if is_ready; then echo "It is ready"; exit 0; fi
      look_inside
      say_elsewhere
      ! is_hopeless || give_up "It goes on listening elsewhere" 46 ;;
    restarting) give_up "It is restarted after exit code $(last_exit_code)" 42 ;;
  esac
  if [ "$(date +%s)" -ge "$deadline" ]; then
    is_published || give_up "Docker does not publish it on port $port" 45
    give_up "It is not ready after $seconds seconds" 44
  fi
  rest
done
