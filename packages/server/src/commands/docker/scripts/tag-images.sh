# Gives images another name each, or none of them where one is missing or was built with other variables: STAMP IMAGE NAME...
# STAMP is their label for those variables; "any" takes them as they are.
stamp=$1
shift
count=$#
while [ "$count" -gt 0 ]; do
  label=$(docker image inspect --format '{{index .Config.Labels "shipway.build"}}' -- "$1" 2>/dev/null) ||
    { echo "$1 is gone" >&2; exit 3; }
  [ "$stamp" = any ] || [ "$label" = "$stamp" ] || { echo "$1 was built with other variables" >&2; exit 3; }
  set -- "$@" "$1" "$2"
  shift 2
  count=$((count - 2))
done
while [ "$#" -gt 0 ]; do
  docker image tag -- "$1" "$2" || exit
  shift 2
done
