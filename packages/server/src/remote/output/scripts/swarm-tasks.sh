# On a manager of a Swarm, tasks take the place of containers: those of all nodes, which the Swarm brings the output of.

# list_containers [--all]: id and service of each task of this environment; without --all, of those that are to run.
list_containers() {
  services=$(docker service ls --quiet --filter "label=shipway.installation=$installation" --filter "label=shipway.environment=$environment") || return
  [ -n "$services" ] || return 0
  wanted='--filter desired-state=running'
  [ "${1-}" != --all ] || wanted=
  # Docker lists no task of any service where one of them goes just then.
  tasks=$(docker service ps --quiet --no-trunc $wanted $services 2>/dev/null) ||
    tasks=$(for service in $services; do docker service ps --quiet --no-trunc $wanted "$service" 2>/dev/null; done)
  [ -n "$tasks" ] || return 0
  docker inspect --type task --format '{{.ID}} {{index .Spec.ContainerSpec.Labels "shipway.service"}} {{.Status.State}}' $tasks 2>/dev/null |
    grep -E ' (starting|running|complete|failed|shutdown)$' | cut -d ' ' -f 1,2
}

# A node that is down never answers, and the Swarm takes no end.
container_output() {
  most=10
  case $1 in --follow) most=$follow_seconds ;; esac
  for word do
    shift
    case $word in
      --until) skip=yes ;;
      *) if [ -n "${skip-}" ]; then skip=; else set -- "$@" "$word"; fi ;;
    esac
  done
  timeout --foreground "$most" docker service logs --timestamps --raw "$@"
}

kept_id() { printf %s "$1"; }

# list_starts FROM: a manager hears only of containers of its own, so it is asked again and again.
list_starts() {
  while :; do
    list_containers | while read -r id name; do
      [ -e "$work/seen.$id" ] || { : >"$work/seen.$id" && echo "$id $name"; }
    done
    sleep 2
  done
}
