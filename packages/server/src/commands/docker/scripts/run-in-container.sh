# Runs a command in a container, and ends it there when this is ended: NOTE CONTAINER ENTER END COMMAND
# Whatever ends `docker exec` on the machine leaves the command running in the container: so the container is asked to say first which
# process it is (ENTER), which goes into the file NOTE, and END ends the group of that process.
note=$1 container=$2 enter=$3 end=$4 command=$5

finish() {
  trap '' TERM
  tries=0
  # It may only just have been started.
  until [ -s "$note" ] || [ -e "$note.code" ] || [ "$tries" -ge 30 ]; do
    tries=$((tries + 1))
    sleep 0.1
  done
  if [ -s "$note" ]; then
    read -r group <"$note"
    docker exec "$container" sh -c "$end" shipway-end "$group" >/dev/null 2>&1
  fi
  wait
  exit 143
}
trap finish TERM

{
  # In a group of its own: what the command prints while it is ended is still read.
  setsid docker exec "$container" sh -c "$enter" shipway-action "$command" 2>&1
  echo "$?" >"$note.code"
} | {
  trap '' TERM
  read -r first
  case $first in
  '' | *[!0-9]*) printf '%s\n' "$first" ;;
  *) echo "$first" >"$note" ;;
  esac
  exec cat
} &
wait "$!"
read -r code <"$note.code" || code=1
exit "$code"
