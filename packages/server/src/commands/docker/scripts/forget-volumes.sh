# Removes the labels of nodes that begin with PREFIX, each with a volume as its value. Prints a line for each node but this one that had some:
# its name, or its id where the name is no plain one, and the volumes.
export LC_ALL=C
prefix=$1
command -v docker >/dev/null || exit 0
own=$(docker info --format '{{if .Swarm.ControlAvailable}}{{.Swarm.NodeID}}{{end}}' 2>/dev/null)
[ -n "$own" ] || exit 0
nodes=$(docker node ls --quiet) || exit
for node in $nodes; do
  turns=0
  while :; do
    labels=$(docker node inspect --format '{{range $key, $value := .Spec.Labels}}{{println $key $value}}{{end}}' -- "$node") || exit
    found=$(printf '%s\n' "$labels" | awk -v prefix="$prefix" 'index($1, prefix) == 1')
    [ -n "$found" ] || continue 2
    # Neither keys nor names of volumes have spaces.
    # shellcheck disable=SC2046
    said=$(docker node update $(printf '%s\n' "$found" | awk '{ print "--label-rm", $1 }') -- "$node" 2>&1) && break
    # The Swarm refuses a change of what another process has changed meanwhile.
    turns=$((turns + 1))
    [ "$turns" -lt 20 ] || { printf '%s\n' "$said" >&2; exit 1; }
    sleep 0.2
  done
  [ "$node" != "$own" ] || continue
  # A node says of itself what its name is, and people run a command with it as root.
  name=$(docker node inspect --format '{{.Description.Hostname}}' -- "$node") || exit
  case $name in '' | [!A-Za-z0-9]* | *[!A-Za-z0-9.-]*) name=$node ;; esac
  printf '%s\n' "$found" | awk -v name="$name" '{ text = text " " $2 } END { print name text }'
done
