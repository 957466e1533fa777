# Gives a node of the Swarm labels: NODE KEY=VALUE...
node=$1
shift
count=$#
for label do set -- "$@" --label-add "$label"; done
shift "$count"
# The Swarm refuses a change of what another process has changed meanwhile.
turns=0
until said=$(docker node update "$@" -- "$node" 2>&1); do
  turns=$((turns + 1))
  [ "$turns" -lt 20 ] || { printf '%s\n' "$said" >&2; exit 1; }
  sleep 0.2
done
