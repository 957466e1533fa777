# Prints the number of requests and WebSockets to some ports: FOLDER PORT… Idle kept-alive connections do not count.
enter "$1"
shift
streams=0
if is_answered 'show table streams'; then
  streams=$(printf '%s\n' "$answer" | awk -v ports=" $* " '
    function value(name) { return match($0, " " name "=[0-9]+") ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) : 0 }
    /^# table: streams,/ { is_known = 1 }
    / key=[0-9]+ / && index(ports, " " value("key") " ") { streams += value("conn_cur") }
    END { if (is_known) print streams + 0 }')
fi
[ -n "$streams" ] || fail 'HAProxy runs with another configuration: it does not count what is under way'
echo "shipway-edge streams $streams"
