# Deploys a service of a stack, unless this task has done so before: FILE SIGN_IN STACK NAME TASK
# SIGN_IN is the folder of the settings by which nodes pull its image.
deployed=$(docker service inspect --format '{{index .Spec.Labels "shipway.task"}}' -- "$4" 2>/dev/null)
[ "$deployed" != "$5" ] || exit 0
# Later versions wait until the service runs, unless they are told not to.
detach=
! docker stack deploy --help | grep -q -e --detach || detach=--detach
exec docker --config "$2" stack deploy --with-registry-auth --resolve-image never $detach --compose-file "$1" "$3"
