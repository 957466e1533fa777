# Prints what each port of this machine answers, and the containers of an installation, a line of JSON each:
# INSTALLATION FORMAT SECONDS [PORT PATH HOST]...
# A port is `port PORT CODE CONNECTED`, where CODE is 000 without an HTTP answer, and CONNECTED above zero where something listens. Without
# an INSTALLATION Docker is not asked; `unasked` stands where it gave no answer.
installation=$1 format=$2 seconds=$3
shift 3
# One program for all ports: each word is taken from the front, and what it comes to is put behind the others. The body is not asked for.
count=$(($# / 3)) separator=
while [ "$count" -gt 0 ]; do
  port=$1 path=$2 host=$3
  shift 3
  set -- "$@" $separator --silent --head --output /dev/null --max-time "$seconds" --noproxy '*' --globoff --path-as-is \
    --user-agent shipway --header "Host: $host" --write-out "port $port %{http_code} %{time_connect}\n" --url "http://127.0.0.1:$port$path"
  separator=--next count=$((count - 1))
done
[ "$#" -eq 0 ] || curl --parallel --parallel-immediate --parallel-max 200 "$@" 2>/dev/null
# Asked last: a container that ends meanwhile has ended, whatever its port answered before.
[ -n "$installation" ] || exit 0
if listed=$(timeout 8 docker ps --all --no-trunc --filter "label=shipway.installation=$installation" --format "$format" 2>/dev/null); then
  printf '%s\n' "$listed" | head -c 700000
else
  echo unasked
fi
exit 0
