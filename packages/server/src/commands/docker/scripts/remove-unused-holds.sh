# Removes services that were made some minutes ago for a terminal, and in whose container no command runs: INSTALLATION MINUTES
# Where docker does not answer or manages no Swarm there is nothing to see; the next cleanup may see it.
before=$(($(date +%s) - $2 * 60))
ids=$(docker service ls --quiet --filter "label=shipway.installation=$1" --filter label=shipway.mode=one_off 2>/dev/null) || exit 0
for id in $ids; do
  facts=$(docker service inspect --format '{{.CreatedAt.Unix}} {{.Spec.Name}} {{index .Spec.Labels "shipway.task"}}' -- "$id" 2>/dev/null) || continue
  created=${facts%% *} rest=${facts#* }
  name=${rest%% *} task=${rest#* }
  # Those of tasks go with their tasks.
  [ -z "$task" ] && [ "$created" -lt "$before" ] || continue
  held "$name"
  if [ -n "$held" ]; then
    commands=$(docker inspect --type container --format '{{len .ExecIDs}}' -- "$held" 2>/dev/null) || continue
    [ "$commands" = 0 ] || continue
  else
    # It may run on a manager that was in use before.
    running=$(docker service ps --quiet --filter desired-state=running -- "$id" 2>/dev/null) || continue
    [ -z "$running" ] || continue
  fi
  docker service rm -- "$id" >/dev/null 2>&1
done
exit 0
