# Creates a container by the definition on standard input, and connects it: NAME, then NETWORK COUNT ALIAS... for each further network
# Each of it may have been done already, by a try that was cut off.
name=$1
shift
if ! docker inspect --type container --format '{{.Id}}' -- "$name" >/dev/null 2>&1; then
  address=$(docker context inspect --format '{{.Endpoints.docker.Host}}') || exit
  case $address in
    unix://*) ;;
    *) echo "Docker is reached by $address, and not by a socket" >&2; exit 1 ;;
  esac
  answer=$(curl --silent --show-error --noproxy '*' --unix-socket "${address#unix://}" --header 'Content-Type: application/json' \
    --data-binary @- --write-out '\n%{http_code}' -- "http://docker/containers/create?name=$name") || exit
  case $answer in
    *201) ;;
    *) printf '%s\n' "$answer" >&2; exit 1 ;;
  esac
fi
while [ "$#" -gt 0 ]; do
  network=$1 count=$2 aliases=
  shift 2
  while [ "$count" -gt 0 ]; do
    aliases="$aliases --alias $1"
    shift
    count=$((count - 1))
  done
  docker inspect --format '{{range $name, $_ := .NetworkSettings.Networks}}{{println $name}}{{end}}' -- "$name" | grep -qxF -e "$network" ||
    docker network connect $aliases -- "$network" "$name" || exit
done
