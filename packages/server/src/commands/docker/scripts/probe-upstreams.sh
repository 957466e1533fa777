# Prints what tasks answer, as "ADDRESS:PORT CODE" lines, where 000 stands for none: PATH HOST ADDRESS:PORT...
path=$1 host=$2
shift 2
count=$# separator=
while [ "$count" -gt 0 ]; do
  at=$1
  shift
  set -- "$@" $separator --silent --output /dev/null --max-time 5 --noproxy '*' --globoff --path-as-is \
    --header "Host: $host" --write-out "$at %{http_code}\n" --url "http://$at$path"
  separator=--next count=$((count - 1))
done
[ "$#" -eq 0 ] || curl --parallel --parallel-immediate --parallel-max 100 "$@" 2>/dev/null
exit 0
