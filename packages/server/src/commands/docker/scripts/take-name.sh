# Gives a container the name that it had, which another one may have now: CONTAINER OTHER NAME
name() { docker inspect --type container --format '{{.Name}}' -- "$1"; }
[ "$(name "$1")" != "/$3" ] || exit 0
[ "$(name "$2")" != "/$3" ] || docker rename "$2" "$3.failed" || exit
docker rename "$1" "$3"
