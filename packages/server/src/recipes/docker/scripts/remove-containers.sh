# Stops containers together, each with its own time for it, and removes them with their unnamed volumes: ID...
docker stop -- "$@" >/dev/null 2>&1 && docker rm --force --volumes -- "$@" >/dev/null 2>&1 && exit
# One that is gone already is what was wanted.
docker rm --force --volumes -- "$@" >/dev/null 2>&1
for id in "$@"; do
  ! docker inspect --type container --format '{{.Id}}' -- "$id" >/dev/null 2>&1 || { echo "container $id is still there" >&2; exit 1; }
done
