# Prints what a Swarm has of an installation, or of one of its environments, a line of JSON each:
# SERVICE_FORMAT TASK_FORMAT NODE_FORMAT INSTALLATION [ENVIRONMENT]
# Formats name what is printed: nothing that could hold the value of a variable. Ended tasks are among the tasks: they say why.
services=$1 tasks=$2 nodes=$3
set -- --filter "label=shipway.installation=$4" ${5:+--filter "label=shipway.environment=$5"}

# ask COMMAND…: fails with 3 where it complains of nothing but what has gone since. Any other complaint is a failure: managers that have lost each
# other say nothing of what runs, and an edge would take their silence for an empty Swarm.
ask() {
  { complaint=$("$@" 2>&1 >&3 3>&-) && return; } 3>&1
  printf '%s\n' "$complaint" | grep -qviE 'no such (service|task)|(service|task) [a-z0-9]+ not found' || return 3
  printf '%s\n' "$complaint" >&2
  return 1
}

# What has gone since is left out.
may_lack() { ask "$@" || [ "$?" -eq 3 ]; }

ids=$(docker service ls --quiet "$@") || exit
echo "{\"kind\":\"now\",\"at\":$(date +%s)000}"
docker node inspect --format "$nodes" $(docker node ls --quiet) || exit
[ -n "$ids" ] || exit 0
may_lack docker service inspect --format "$services" $ids || exit
# Docker lists no task of any service where one of them goes just then, so it is asked again for those that are left.
turn=1
until ids=$(ask docker service ps --quiet --no-trunc $ids); do
  [ "$?" -eq 3 ] || exit 1
  [ "$turn" -lt 10 ] || {
    echo 'services are removed faster than their tasks can be listed' >&2
    exit 1
  }
  turn=$((turn + 1))
  ids=$(docker service ls --quiet "$@") || exit
  [ -n "$ids" ] || exit 0
done
[ -z "$ids" ] || may_lack docker inspect --type task --format "$tasks" $ids
