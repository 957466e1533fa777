# Removes the services of one environment from the Swarm, and waits for the end of their containers: INSTALLATION
# ENVIRONMENT required|optional SECONDS
# Where the Engine is optional and does not answer, or is of no Swarm, there is nothing to remove. Prints a line for each container on a node
# that is away, which ends when the node comes back: `away TASK on NODE`. Where there are other nodes, it prints a line for each volume on a file
# server, since every node that ran a container with it has an entry of it: `volume NAME`.
command -v docker >/dev/null || exit 0
manages=$(docker info --format '{{.Swarm.ControlAvailable}}' 2>/dev/null)
if [ "$manages" != true ]; then
  [ "$3" = required ] || exit 0
  echo 'this is no manager of a Swarm' >&2
  exit 1
fi
ids=$(docker service ls --quiet --filter "label=shipway.installation=$1" --filter "label=shipway.environment=$2") || exit
[ -n "$ids" ] || exit 0
# Of each task its id, its name and its node. One service after the other: Docker lists no task of any where one of them goes just then.
tasks=$(for id in $ids; do docker service ps --no-trunc --filter desired-state=running --format '{{.ID}} {{.Name}} {{.Node}}' "$id" 2>/dev/null; done)
volumes=$(docker service inspect --format '{{range $mount := .Spec.TaskTemplate.ContainerSpec.Mounts}}{{with $mount.VolumeOptions}}{{with .DriverConfig}}{{printf "%s/%s" .Name (index .Options "type")}} {{println $mount.Source}}{{end}}{{end}}{{end}}' $ids 2>/dev/null)
nodes=$(docker node ls --quiet | wc -l)
docker service rm $ids >/dev/null || exit

# list_left: sets $left and $away to the tasks that have not ended, on nodes that are there and on others.
list_left() {
  known=$(docker node ls --format '{{.ID}} {{.Status}}') || exit
  states=$(docker inspect --type task --format '{{.ID}} {{.Status.State}} {{.NodeID}}' $(printf '%s\n' "$tasks" | cut -d ' ' -f 1) 2>/dev/null)
  running=$(printf '%s\nend\n%s\nend\n%s\n' "$known" "$states" "$tasks" | awk '
    $1 == "end" { part++; next }
    part == 0 { if ($2 == "Ready") ready[$1]; next }
    part == 1 { if ($2 ~ /^(running|starting|preparing|assigned|accepted|ready)$/) node[$1] = $3; next }
    $1 in node { print (node[$1] in ready ? "left" : "away"), $2, "on", $3 }')
  left=$(printf '%s\n' "$running" | sed -n 's/^left //p')
  away=$(printf '%s\n' "$running" | sed -n 's/^away //p')
}
turns=0
list_left
while [ -n "$left" ]; do
  if [ "$turns" -ge "$4" ]; then
    printf 'These containers have not ended: %s\n' "$(printf '%s\n' "$left" | paste -s -d , -)" >&2
    exit 1
  fi
  turns=$((turns + 1))
  sleep 1
  list_left
done
[ -z "$away" ] || printf '%s\n' "$away" | sed 's/^/away /'
[ "$nodes" -gt 1 ] || exit 0
# One of the usual driver that is on no file server is on one node, which has a label.
printf '%s\n' "$volumes" | awk '$2 != "" && ($1 ~ /\/(nfs|nfs4|cifs|smb3)$/ || $1 !~ /^(local)?\//) && !seen[$2]++ { print "volume", $2 }'
