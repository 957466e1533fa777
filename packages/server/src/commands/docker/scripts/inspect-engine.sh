# Prints what the Engine answers, a line of JSON and then a line with the status each: the containers of an environment, the networks of its
# compose project, and images: INSTALLATION ENVIRONMENT PROJECT IMAGE...
# One program for all of it: to start one costs more than what it asks. Ends with 3 where the Engine cannot be asked in this way.
engine_socket || exit 3
labels="%22shipway.installation%3D$1%22%2C%22shipway.environment%3D$2%22"
project="%22com.docker.compose.project%3D$3%22"
shift 3
# Each word is taken from the front, and what it comes to is put behind the others.
for image in "$@"; do
  shift
  set -- "$@" --next --silent --noproxy '*' --globoff --max-time 120 --unix-socket "$socket" --write-out '\n%{http_code}\n' \
    --url "http://docker/images/$image/json"
done
engine --write-out '\n%{http_code}\n' --url "http://docker/containers/json?all=1&filters={%22label%22:[$labels]}" \
  --url "http://docker/networks?filters={%22label%22:[$project]}" "$@" || exit 3
