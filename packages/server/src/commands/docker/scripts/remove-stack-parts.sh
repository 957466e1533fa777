# Removes networks, secrets and configs of an environment that nothing uses: INSTALLATION ENVIRONMENT required|optional KEPT...
# Networks of the tasks KEPT stay, and those of no task where KEPT is not empty. A network is used for some moments after its last task.
# Where the Engine is optional and manages no Swarm, there is nothing to remove.
installation=$1 environment=$2 engine=$3
shift 3
if [ "$engine" = optional ]; then
  command -v docker >/dev/null || exit 0
  [ "$(docker info --format '{{.Swarm.ControlAvailable}}' 2>/dev/null)" = true ] || exit 0
fi
kept=" $* "
ids_of() { docker "$@" --filter "label=shipway.installation=$installation" --filter "label=shipway.environment=$environment"; }
networks=$(ids_of network ls --format '{{.ID}} {{.Label "shipway.task"}}') || exit
printf '%s\n' "$networks" | while read -r network task; do
  [ -n "$network" ] || continue
  if [ "$kept" != '  ' ]; then case "$task:$kept" in :*|*:*" $task "*) continue ;; esac; fi
  turns=0
  until said=$(docker network rm "$network" 2>&1); do
    case $said in *'not found'*) break ;; esac
    turns=$((turns + 1))
    [ "$turns" -lt 40 ] || { printf 'A network of the environment stays: %s\n' "$said" | head -n 1; break; }
    sleep 0.5
  done
done
# The Swarm refuses to remove what a service uses. It does not refuse what a service goes back to when its update fails, nor what a deployment
# has made a moment before its service.
previous=
if [ "$kept" != '  ' ]; then
  services=$(ids_of service ls --quiet) || exit
  # Ids are letters and digits.
  # shellcheck disable=SC2086
  [ -z "$services" ] || previous=$(docker service inspect --format '{{with .PreviousSpec}}{{with .TaskTemplate.ContainerSpec}}{{range .Secrets}}{{println .SecretID}}{{end}}{{range .Configs}}{{println .ConfigID}}{{end}}{{end}}{{end}}' $services 2>/dev/null)
fi
now=$(date +%s)
for kind in secret config; do
  ids=$(ids_of "$kind" ls --quiet) || exit
  for id in $ids; do
    if [ "$kept" != '  ' ]; then
      ! printf '%s\n' "$previous" | grep -qxF -e "$id" || continue
      made=$(docker "$kind" inspect --format '{{.CreatedAt.Unix}}' -- "$id" 2>/dev/null) || continue
      [ "$((now - made))" -ge 600 ] || continue
    fi
    docker "$kind" rm "$id" >/dev/null 2>&1
  done
done
exit 0
