# Creates a container by the definition on standard input: NAME
# There may be one already, of a try that was cut off.
! docker inspect --type container --format '{{.Id}}' -- "$1" >/dev/null 2>&1 || exit 0
address=$(docker context inspect --format '{{.Endpoints.docker.Host}}') || exit
case $address in
  unix://*) ;;
  *) echo "Docker is reached by $address, and not by a socket" >&2; exit 1 ;;
esac
answer=$(curl --silent --show-error --noproxy '*' --unix-socket "${address#unix://}" --header 'Content-Type: application/json' \
  --data-binary @- --write-out '\n%{http_code}' -- "http://docker/containers/create?name=$1") || exit
case $answer in
  *201) ;;
  *) printf '%s\n' "$answer" | head -n 1 >&2; exit 1 ;;
esac
