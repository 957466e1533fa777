# Removes whatever docker has of one environment, its volumes too, and nothing else: 
# INSTALLATION ENVIRONMENT COMPOSE_PROJECT required|optional
# Where the Engine is optional and does not answer, there is nothing to remove.
command -v docker >/dev/null || exit 0
[ "$4" = required ] || docker version >/dev/null 2>&1 || exit 0
ours() { docker "$@" --quiet --filter "label=shipway.installation=$installation" --filter "label=shipway.environment=$environment"; }
of_project() { docker "$@" --quiet --filter "label=com.docker.compose.project=$project"; }
installation=$1 environment=$2 project=$3

containers=$(ours ps --all --no-trunc) || exit
unnamed=
if [ -n "$containers" ]; then
  # Volumes without a name that one container has taken over from another do not go with it.
  unnamed=$(docker inspect --type container --format '{{range .Mounts}}{{if eq .Type "volume"}}{{println .Name}}{{end}}{{end}}' $containers 2>/dev/null |
    grep -xE '[0-9a-f]{64}' | sort -u)
fi
# What another process removes at the same time goes in a moment.
turns=0
while [ -n "$containers" ]; do
  said=$(docker rm --force --volumes $containers 2>&1 >/dev/null) || turns=$((turns + 1))
  [ "$turns" -le 50 ] || { echo "$said" >&2; exit 1; }
  [ -z "$said" ] || sleep 0.2
  containers=$(ours ps --all --no-trunc) || exit
done
turns=0
networks=$(of_project network ls --no-trunc) || exit
while [ -n "$networks" ]; do
  said=$(docker network rm $networks 2>&1 >/dev/null) || turns=$((turns + 1))
  [ "$turns" -le 50 ] || { echo "$said" >&2; exit 1; }
  [ -z "$said" ] || sleep 0.2
  networks=$(of_project network ls --no-trunc) || exit
done
# Those of a Swarm are of no project.
volumes=$(of_project volume ls && ours volume ls | sort) || exit
volumes=$(printf '%s\n' "$volumes" | sort -u)
[ -z "$volumes" ] || docker volume rm $volumes >/dev/null || exit
for volume in $unnamed; do
  docker volume inspect -- "$volume" >/dev/null 2>&1 || continue
  [ -n "$(docker ps --all --quiet --filter "volume=$volume")" ] || docker volume rm -- "$volume" >/dev/null || exit
done
images=$(ours image ls --no-trunc | sort -u) || exit
[ -z "$images" ] || docker image rm --force $images >/dev/null
