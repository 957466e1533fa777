# Removes networks, after the containers that have joined them have left: NETWORK COUNT CONTAINER... for each. Prints which stay.
is_gone() {
  ! docker network inspect --format '{{.Id}}' -- "$1" >/dev/null 2>&1
}
while [ "$#" -gt 0 ]; do
  network=$1 count=$2 turns=0
  shift 2
  while [ "$count" -gt 0 ]; do
    # One that is gone has left.
    docker network disconnect --force -- "$network" "$1" >/dev/null 2>&1
    shift
    count=$((count - 1))
  done
  # A container that another process disconnects at the same time has left in a moment.
  until said=$(docker network rm -- "$network" 2>&1 >/dev/null) || is_gone "$network"; do
    turns=$((turns + 1))
    [ "$turns" -le 10 ] || { printf '%s stays: %s\n' "$network" "$said"; break; }
    sleep 0.2
  done
done
