# Removes networks, after the containers that have joined them have left: NETWORK COUNT CONTAINER... for each. Prints which stay.
while [ "$#" -gt 0 ]; do
  network=$1 count=$2
  shift 2
  while [ "$count" -gt 0 ]; do
    # One that is gone has left.
    docker network disconnect --force -- "$network" "$1" >/dev/null 2>&1
    shift
    count=$((count - 1))
  done
  said=$(docker network rm -- "$network" 2>&1 >/dev/null) ||
    ! docker network inspect --format '{{.Id}}' -- "$network" >/dev/null 2>&1 ||
    printf '%s stays: %s\n' "$network" "$said"
done
