# Gives images another name each, or none of them where one is missing: IMAGE NAME...
count=$#
while [ "$count" -gt 0 ]; do
  docker image inspect --format '{{.Id}}' -- "$1" >/dev/null 2>&1 || { echo "$1 is gone" >&2; exit 3; }
  set -- "$@" "$1" "$2"
  shift 2
  count=$((count - 2))
done
while [ "$#" -gt 0 ]; do
  docker image tag -- "$1" "$2" || exit
  shift 2
done
