# Stops containers together, each with its own time for it, and removes them with their unnamed volumes: ID...
docker stop -- "$@" >/dev/null 2>&1 && docker rm --force --volumes -- "$@" >/dev/null 2>&1 && exit
# One that is gone already is what was wanted. One that another process removes at the same time goes in a moment.
is_gone() {
  ! docker inspect --type container --format '{{.Id}}' -- "$1" >/dev/null 2>&1
}
for id in "$@"; do
  turns=0
  until is_gone "$id" || { docker rm --force --volumes -- "$id" >/dev/null 2>&1 && is_gone "$id"; }; do
    turns=$((turns + 1))
    [ "$turns" -le 50 ] || { echo "container $id is still there" >&2; exit 1; }
    sleep 0.2
  done
done
