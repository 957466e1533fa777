# Puts a service back to the version before its last update, unless that is done: ID TASK
# TASK is the one whose version has to go.
[ "$(docker service inspect --format '{{index .Spec.Labels "shipway.task"}}' -- "$1")" = "$2" ] || exit 0
exec docker service update --rollback --detach -- "$1" >/dev/null
