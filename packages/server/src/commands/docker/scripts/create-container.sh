# Creates a container by the definition on standard input: NAME
name=$1
# A try that was cut off may have made it.
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
