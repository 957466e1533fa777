# Checks for two to three seconds whether a container that has just started answers: CONTAINER KIND PORT PATH HOST
# KIND is http (PATH answers with 2xx or 3xx) or port (something answers). To start a program costs more than what it asks, so one program
# does both: the Engine says first that the container runs, was never restarted and is published on PORT, and then it must answer.
# Ends with 3 where the Engine cannot be asked in this way, and with 1 where it is not ready, which says nothing about why.
container=$1 kind=$2 port=$3 path=$4 host=$5
engine_socket || exit 3
newline='
'

# Quotes within values are escaped, so none of these can be text of a user.
is_published() {
  case $found in *'"State":{"Status":"running"'*) ;; *) exit 1 ;; esac
  case $found in *'"RestartCount":0,'*) ;; *) exit 1 ;; esac
  case $found in *'"Health":{"Status":"unhealthy"'*) exit 1 ;; esac
  # By one pattern: to cut off what is before it takes a shell a tenth of a second.
  case $found in *'"NetworkSettings":{'*'"HostIp":"127.0.0.1","HostPort":"'"$port"'"'*) ;; *) return 1 ;; esac
}

now() {
  read -r uptime _ </proc/uptime
  now=${uptime%.*}
}

now
deadline=$((now + 3)) polls=0
while [ "$now" -lt "$deadline" ]; do
  found=$(engine --fail --fail-early --url "http://docker/containers/$container/json" \
    --next --silent --output /dev/null --max-time 5 --noproxy '*' --globoff --path-as-is \
    --header "Host: $host" --write-out '\n%{http_code}' --url "http://127.0.0.1:$port$path")
  # 28: it was too slow.
  [ "$?" -ne 28 ] || exit 1
  if is_published; then
    case $kind:$found in
      *"$newline"000) ;;
      port:* | http:*"$newline"[23]??) exit 0 ;;
    esac
  fi
  polls=$((polls + 1))
  if [ "$polls" -lt 25 ]; then sleep 0.01; else sleep 0.05; fi
  now
done
exit 1
