# Makes files and running HAProxy equal to a state: FOLDER VERSION ROUTES_BYTES BYTES. On standard input: routes.map and acme.map,
# BYTES in all. A state that is older than the one before changes nothing, but what runs is made equal to the files all the same.
#   version        of the newest state; written first, so that no older one can come after it, whatever is killed
#   routes.map …   what HAProxy reads when it starts
version=$2 routes_bytes=$3 bytes=$4

# put FILE: from the folder of this run to where HAProxy reads it.
put() {
  ! cmp -s -- "$new/$1" "$1" || return 0
  sync "$new/$1"
  mv -- "$new/$1" "$1"
}

# reconcile FILE: changes the entries of the running map that differ from the file; adds to $changed.
reconcile() {
  map=$(ask 'show map' | sed -n "s|^[-0-9]* (\([^)]*/$1\)) .*|\1|p" | head -n 1)
  [ -n "$map" ] || fail "HAProxy runs with another configuration: it has no $1"
  for turn in 1 2 3; do
    ask "show map $map" >"$new/running"
    differences "$1" "$map" >"$new/commands"
    [ -s "$new/commands" ] || return 0
    while read -r commands; do ask "$commands" >>"$new/answers"; done <"$new/commands"
    changed=$((changed + $(tr -cd ';' <"$new/commands" | wc -c)))
  done
  ask "show map $map" >"$new/running"
  differences "$1" "$map" >"$new/commands"
  [ ! -s "$new/commands" ] || fail "HAProxy did not take every entry of $1: $(grep -v '^$' "$new/answers" | head -n 3)"
}

# differences FILE MAP: commands for the socket, each with a semicolon after it, in lines that HAProxy's buffer has room for. An entry
# that runs is named by its reference: whoever else wrote it may have given it any key.
differences() {
  awk -v file="$1" -v map="$2" '
    function say(command) {
      if (length(line) + length(command) > 8000) { print line; line = "" }
      line = line command ";"
    }
    NF == 0 { next }
    FILENAME == file { wanted[$1] = $2; next }
    NF != 3 || !($2 in wanted) || $2 in runs { say("del map " map " #" $1); next }
    { runs[$2] = 1 }
    $3 != wanted[$2] { say("set map " map " #" $1 " " wanted[$2]) }
    END {
      for (key in wanted) if (!(key in runs)) say("add map " map " " key " " wanted[key])
      if (line != "") print line
    }' "$1" "$new/running"
}

enter "$1"
find . -maxdepth 1 -name 'new.*' -mmin +60 -exec rm -rf {} +
new=$(mktemp -d ./new.XXXXXX)
trap 'rm -rf "$new"' EXIT
cat >"$new/all"
# Half an input ends like a whole one when the platform is killed or cut off.
[ "$(wc -c <"$new/all")" -eq "$bytes" ] || fail 'the routes did not arrive whole'
head -c "$routes_bytes" "$new/all" >"$new/routes.map"
tail -c "+$((routes_bytes + 1))" "$new/all" >"$new/acme.map"
echo "$version" >"$new/version"

exec 9>lock
flock -w 20 9 || fail 'another change of the routes has not ended for 20 seconds'
applied=0
[ ! -s version ] || read -r applied <version
outcome=applied
if [ "$version" -lt "$applied" ]; then
  outcome=stale
else
  applied=$version
  for file in version routes.map acme.map; do put "$file"; done
  # HAProxy does not start without it.
  : >>certificates.list
fi

changed=0 state=stopped
if is_running; then
  state=live
  for file in routes.map acme.map; do reconcile "$file"; done
fi
echo "shipway-edge $outcome $applied $state $changed"
