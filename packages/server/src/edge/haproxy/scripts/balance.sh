# Makes HAProxy balance over these upstreams: FOLDER VERSION BYTES FIRST LAST [PORT…]. Standard input: for each upstream a line of its group's
# port, its name, address and port, BYTES in all. An older list than the last one is not written, but the running HAProxy is still reconciled
# with the files. Groups have the ports from FIRST to LAST. At last waits up to five seconds for the upstreams of the PORTs to answer HAProxy.
#   balance-version   of the newest list; written first, so that an older one never follows it, even after a kill
#   upstreams         the list, also for visits
#   groups.cfg        the same for HAProxy, when it starts
version=$2 bytes=$3 first=$4 last=$5
# One that was down and answers comes back with the next list, or after five seconds: Docker gives ports to other containers when it starts again, also of
# other environments, and within these seconds the platform lists which containers have which.
check='check inter 500ms fastinter 200ms fall 2 rise 25'

# groups: prints the backends of all groups with the upstreams of a list on standard input.
groups() {
  awk -v first="$first" -v last="$last" -v check="$check" '
    { servers[$1] = servers[$1] "  server " $2 " " $3 ":" $4 " " check "\n" }
    function backend(name, port) {
      printf "backend %s%d from %s\n  use-server %%[var(txn.upstream)] if { var(txn.upstream) -m found }\n%s", name, port, name, servers[port]
    }
    END { for (port = first; port <= last; port++) { backend("kept", port); backend("fresh", port) } }'
}

# reconcile: changes the servers of the running HAProxy that differ from the list; adds to $changed.
reconcile() {
  for turn in 1 2 3 4; do
    ask 'show servers state' >"$new/running"
    differences "$turn"
    run_commands "$new/deletions" >"$new/deleted"
    [ -s "$new/commands" ] || return 0
    [ "$turn" -lt 4 ] || break
    run_commands "$new/commands" >>"$new/answers"
    read -r count <"$new/count"
    changed=$((changed + count))
  done
  case $(cat "$new/answers") in
    *'No such backend'*) fail 'HAProxy runs with another configuration: it has no balance groups' ;;
    *) fail "HAProxy did not take every upstream: $(grep -v '^$' "$new/answers" | head -n 3)" ;;
  esac
}

# run_commands FILE: prints what HAProxy answers.
run_commands() {
  while read -r commands; do ask "$commands"; done <"$1"
}

# differences TURN: writes commands for the socket in lines that fit HAProxy's buffer, and their number. A server that has left gets no more
# requests and ends those that it has; HAProxy deletes it when it has no connection left, so this is tried each time.
differences() {
  is_listed=0
  [ "$1$outcome" != 1balanced ] || is_listed=1
  awk -v is_listed="$is_listed" -v check="$check" -v commands="$new/commands" -v deletions="$new/deletions" -v count="$new/count" '
    function say(file, command) {
      if (line[file] != "" && length(line[file]) + length(command) > 8000) { print line[file] >file; line[file] = "" }
      line[file] = line[file] (line[file] == "" ? "" : ";") command
    }
    function change(command) { say(commands, command); changes++ }
    BEGIN { printf "" >commands; printf "" >deletions }
    FILENAME == "upstreams" { wanted["kept" $1 "/" $2] = wanted["fresh" $1 "/" $2] = $3 ":" $4; address[$2] = $3; port[$2] = $4; next }
    $2 !~ /^(kept|fresh)[0-9]+$/ { next }
    { server = $2 "/" $4; is_out = $7 % 2 }
    !(server in wanted) {
      if (!is_out) change("set server " server " state maint")
      say(deletions, "del server " server)
      next
    }
    { runs[server] = 1 }
    $5 ":" $19 != wanted[server] { change("set server " server " addr " address[$4] " port " port[$4]) }
    is_out { change("enable health " server ";set server " server " state ready") }
    # It is as the platform has just listed it, and answers again: one that does not stays down, as a Swarm lists what runs on a dead node for
    # a while. Once: it may be down again at once.
    !is_out && $6 == 0 && $12 == 3 && is_listed { say(commands, "set server " server " health up") }
    END {
      for (server in wanted) if (!(server in runs)) change("add server " server " " wanted[server] " " check ";enable health " server ";enable server " server)
      if (line[commands] != "") print line[commands] >commands
      if (line[deletions] != "") print line[deletions] >deletions
      print changes + 0 >count
    }' upstreams "$new/running"
}

# find_silent PORT…: sets $silent to a few upstreams of these groups that HAProxy has not reached, separated by commas. Those that are down are
# tried again at once.
find_silent() {
  ask 'show servers state' >"$new/running"
  silent=$(awk -v ports=" $* " -v list="$new/list" -v commands="$new/again" '
    BEGIN { printf "" >commands }
    FILENAME == list { if (index(ports, " " $1 " ")) wanted["kept" $1 "/" $2] = wanted["fresh" $1 "/" $2] = $1 "/" $2; next }
    $6 == 2 && $7 == 0 && $12 == 3 { delete wanted[$2 "/" $4] }
    $6 == 0 && $2 "/" $4 in wanted { print "set server " $2 "/" $4 " health up" >commands }
    END {
      for (server in wanted) names[wanted[server]]
      for (name in names) if (count++ < 3) text = text "," name
      print substr(text, 2)
    }' "$new/list" "$new/running")
  run_commands "$new/again" >/dev/null
}

enter "$1"
shift 5
new=$(mktemp -d ./new.XXXXXX)
trap 'rm -rf "$new"' EXIT
cat >"$new/list"
# When the platform is killed or cut off, truncated input ends like complete input.
[ "$(wc -c <"$new/list")" -eq "$bytes" ] || fail 'the upstreams did not arrive whole'
echo "$version" >"$new/balance-version"
cp -- "$new/list" "$new/upstreams"
groups <"$new/list" >"$new/groups.cfg"

exec 9>lock
flock -w 20 9 || fail 'another change of the routes has not ended for 20 seconds'
applied=0
[ ! -s balance-version ] || read -r applied <balance-version
outcome=balanced
if [ "$version" -lt "$applied" ]; then
  outcome=stale
else
  for file in balance-version upstreams groups.cfg; do
    cmp -s -- "$new/$file" "$file" || { sync "$new/$file" && mv -- "$new/$file" .; }
  done
  applied=$version
fi

changed=0 state=live silent=
if is_answered 'show info'; then
  reconcile
  # Others may change what is here while this one waits.
  exec 9>&-
  turn=0
  # A process that has read a later list waits for its own.
  [ "$outcome" = balanced ] || set --
  while [ "$#" -gt 0 ] && find_silent "$@" && [ -n "$silent" ] && [ "$turn" -lt 25 ]; do
    turn=$((turn + 1))
    sleep 0.2
  done
else
  state=stopped
fi
echo "shipway-edge $outcome $applied $state $changed ${silent:--}"
