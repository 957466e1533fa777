# Prints a line each time that tasks of an installation or nodes of the Swarm have changed, until it is ended: INSTALLATION
# A manager hears only of containers of its own, so it is asked again and again.
before=start failures=0
while :; do
  ids=$(docker service ls --quiet --filter "label=shipway.installation=$1") &&
    nodes=$(docker node ls --format '{{.ID}} {{.Status}} {{.Availability}}') || {
    failures=$((failures + 1))
    [ "$failures" -lt 5 ] || exit 1
    sleep 2
    continue
  }
  failures=0
  # The state comes with its age, which is left out.
  tasks=
  [ -z "$ids" ] || tasks=$(docker service ps --no-trunc --format '{{.ID}} {{.DesiredState}} {{.CurrentState}}' $ids 2>/dev/null | cut -d ' ' -f 1-3)
  now="$nodes
$tasks"
  [ "$now" = "$before" ] || [ "$before" = start ] || echo changed
  before=$now
  sleep 2
done
