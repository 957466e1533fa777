# Connects a container to those of these networks that it is not in yet: CONTAINER, then NETWORK COUNT ALIAS... for each
container=$1
shift
connected=$(docker inspect --type container --format '{{range $name, $_ := .NetworkSettings.Networks}}{{println $name}}{{end}}' -- "$container") || exit
# An alias can be any text, so each stays one word: NETWORK COUNT ALIAS... and words of the networks after it
connect() (
  network=$1 count=$2
  shift 2
  others=$(($# - count))
  while [ "$count" -gt 0 ]; do
    set -- "$@" --alias "$1"
    shift
    count=$((count - 1))
  done
  shift "$others"
  docker network connect "$@" -- "$network" "$container"
)
while [ "$#" -gt 0 ]; do
  printf '%s\n' "$connected" | grep -qxF -e "$1" || connect "$@" ||
    # One that was removed with its release meanwhile needs no connection.
    ! docker network inspect --format '{{.Id}}' -- "$1" >/dev/null 2>&1 || exit
  shift $(($2 + 2))
done
