# Prints how often each container was started again: ID... One that has gone meanwhile is left out.
docker inspect --type container --format '{{.ID}} {{.RestartCount}}' -- "$@" 2>/dev/null
exit 0
