# Applies a state to the files and the running HAProxy: FOLDER VERSION ROUTES_BYTES BYTES. Standard input: routes.map and acme.map,
# BYTES in all. An older state than the last one is not written, but the running HAProxy is still reconciled with the files.
#   version        of the newest state; written first, so that an older one never follows it, even after a kill
#   routes.map …   what HAProxy reads when it starts
version=$2 routes_bytes=$3 bytes=$4

# put FILE...: moves files from this run's folder to where HAProxy reads them, in this order.
put() {
  sync "$@"
  mv -- "$@" .
}

# ask_running: reads both maps, whose names are in $routes and $acme.
ask_running() {
  ask "show map $routes;show map $acme" >"$new/running" 2>"$new/complaint"
}

ask_again() {
  ask_running || fail "HAProxy cannot be reached: $(cat "$new/complaint")"
}

# find_names: another configuration may know the maps by other paths than those of this folder.
find_names() {
  is_answered 'show map' || fail 'HAProxy has just been stopped'
  routes=$(map_of routes.map) || exit
  acme=$(map_of acme.map) || exit
  ask_again
}

# map_of FILE: HAProxy's name for the map of this file, from its list of maps in $answer.
map_of() {
  while IFS= read -r line; do
    line=${line#*' ('}
    case ${line%%')'*} in */"$1") echo "${line%%')'*}"; return ;; esac
  done <<END
$answer
END
  fail "HAProxy runs with another configuration: it has no $1"
}

# reconcile: changes the entries of the running maps that differ from the files; adds to $changed.
reconcile() {
  ! grep -q '^Unknown map' "$new/running" || find_names
  for turn in 1 2 3 4; do
    [ "$turn" -eq 1 ] || ask_again
    differences >"$new/commands"
    if [ ! -s "$new/commands" ]; then
      # An answer from before the files were moved may come from a HAProxy that has since restarted with other files.
      if [ "$turn" -eq 1 ] && [ -n "$moved" ]; then continue; fi
      return 0
    fi
    [ "$turn" -lt 4 ] || break
    while read -r commands; do ask "$commands" >>"$new/answers"; done <"$new/commands"
    read -r count <"$new/count"
    changed=$((changed + count))
  done
  fail "HAProxy did not take every entry of its maps: $(grep -v '^$' "$new/answers" | head -n 3)"
}

# differences: prints commands for the socket, each followed by a semicolon, in lines that fit HAProxy's buffer; writes their number to a
# file. Names existing entries by reference, because another program may have added them with any key. An empty line follows each of the two
# maps.
differences() {
  awk -v routes="$routes" -v acme="$acme" -v count="$new/count" '
    function say(command) {
      if (length(line) + length(command) > 8000) { print line; line = "" }
      line = line command ";"
      commands++
    }
    BEGIN { maps["routes.map"] = routes; maps["acme.map"] = acme; file = "routes.map" }
    FILENAME in maps { if (NF > 0) wanted[FILENAME, $1] = $2; next }
    NF == 0 { file = "acme.map"; next }
    NF != 3 || !((file, $2) in wanted) || (file, $2) in runs { say("del map " maps[file] " #" $1); next }
    { runs[file, $2] = 1 }
    $3 != wanted[file, $2] { say("set map " maps[file] " #" $1 " " wanted[file, $2]) }
    END {
      for (key in wanted) if (!(key in runs)) { split(key, part, SUBSEP); say("add map " maps[part[1]] " " part[2] " " wanted[key]) }
      if (line != "") print line
      print commands + 0 >count
    }' routes.map acme.map "$new/running"
}

enter "$1"
# Folders of killed runs.
for left in new.*; do
  [ ! -d "$left" ] || { find . -maxdepth 1 -name 'new.*' -mmin +60 -exec rm -rf {} +; break; }
done
new=$(mktemp -d ./new.XXXXXX)
trap 'wait; rm -rf "$new"' EXIT
cat >"$new/all"
# When the platform is killed or cut off, truncated input ends like complete input.
[ "$(wc -c <"$new/all")" -eq "$bytes" ] || fail 'the routes did not arrive whole'
head -c "$routes_bytes" "$new/all" >"$new/routes.map"
tail -c "+$((routes_bytes + 1))" "$new/all" >"$new/acme.map"
echo "$version" >"$new/version"

exec 9>lock
flock -w 20 9 || fail 'another change of the routes has not ended for 20 seconds'
# Queries the running HAProxy while the files are written.
routes=$folder/routes.map acme=$folder/acme.map
{
  exec 9>&-
  ask_running
} &
asking=$! moved=
applied=0
[ ! -s version ] || read -r applied <version
outcome=applied
if [ "$version" -lt "$applied" ]; then
  outcome=stale
else
  set --
  [ "$version" = "$applied" ] || set -- "$new/version"
  for file in routes.map acme.map; do
    cmp -s -- "$new/$file" "$file" || { set -- "$@" "$new/$file"; moved=yes; }
  done
  [ "$#" -eq 0 ] || put "$@"
  applied=$version
  # HAProxy does not start without it.
  : >>certificates.list
fi

changed=0 state=live
if wait "$asking"; then
  reconcile
elif is_answered 'show map'; then
  # HAProxy has started since then, and may have read the previous files.
  ask_again
  reconcile
else
  state=stopped
fi
echo "shipway-edge $outcome $applied $state $changed"
