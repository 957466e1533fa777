# Prints HAProxy's uptime in seconds, and for each environment its id, requests and errors since then: FOLDER
enter "$1"
started=0
if is_answered 'show info'; then
  started=$(printf '%s\n' "$answer" | sed -n 's/^Start_time_sec: //p')
  [ -n "$started" ] || fail 'HAProxy did not say since when it runs'
fi
echo "shipway-edge traffic $started"
[ "$started" = 0 ] || ask 'show table traffic' | awk '
  function value(name) { return match($0, " " name "=[0-9]+") ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) : 0 }
  / key=[0-9]+ / { print value("key"), value("http_req_cnt"), value("gpc0") }'
