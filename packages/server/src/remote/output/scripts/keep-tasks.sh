# Keeps the output of services of a Swarm that are about to be removed: FOLDER DAYS BYTES SERVICE...
# Reads at most BYTES of each task, the newest lines. Prints a sentence for each service whose output is not completely kept.
begin_keeping "$1"
days=$2 bytes=$3
shift 3

keep() {
  # A node that is down never answers.
  { timeout --foreground 30 docker service logs --timestamps --raw --tail 100000 -- "$1" 2>&1; echo "$?" >"$work/code"; } | head -c "$bytes" | store "$1" "$2" || {
    echo "The output of $2 could not be kept: see that the disk is not full"
    return
  }
  case $(cat "$work/code") in
    124) echo "Of the output of $2 only a part is kept: its node does not answer" ;;
  esac
}

for id do
  service=$(docker service inspect --format '{{index .Spec.Labels "shipway.service"}}' -- "$id" 2>/dev/null) || continue
  is_service "$service" || continue
  for task in $(docker service ps --quiet --no-trunc -- "$id" 2>/dev/null); do
    case $(docker inspect --type task --format '{{.Status.State}}' -- "$task" 2>/dev/null) in
      starting | running | complete | failed | shutdown) keep "$task" "$service" ;;
    esac
  done
done
trim_output "$days" "$bytes" .
exit 0
