# Connects a container to those of these networks that it is not in yet: CONTAINER, then NETWORK COUNT ALIAS... for each
container=$1
shift
connected=$(docker inspect --type container --format '{{range $name, $_ := .NetworkSettings.Networks}}{{println $name}}{{end}}' -- "$container") || exit
while [ "$#" -gt 0 ]; do
  network=$1 count=$2 aliases=
  shift 2
  while [ "$count" -gt 0 ]; do
    aliases="$aliases --alias $1"
    shift
    count=$((count - 1))
  done
  printf '%s\n' "$connected" | grep -qxF -e "$network" || docker network connect $aliases -- "$network" "$container" ||
    # One that went with its release meanwhile is nobody's any more.
    ! docker network inspect --format '{{.Id}}' -- "$network" >/dev/null 2>&1 || exit
done
