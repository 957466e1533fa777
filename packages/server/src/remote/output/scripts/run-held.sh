# claim NAME: starts the container of a service that waits for its command, once, whoever asks at the same time. A folder is the claim while the
# service is there: a connection may ask again hours after its certificate ended. Claims of programs that were killed go with their services.
claims=${0%/*}/claims
claim() {
  mkdir -p "$claims" || return
  for old in $(find "$claims" -mindepth 1 -maxdepth 1 -mmin +60); do
    [ -n "$(docker service ls --quiet --filter "name=${old##*/}" 2>/dev/null || echo unknown)" ] || rmdir "$old"
  done
  mkdir "$claims/$1" 2>/dev/null || return
  # A Swarm may know nothing of what was made a moment ago.
  for pause in 0.3 0; do
    # Another manager may have started it: claims are of one machine.
    case $(docker service inspect --format '{{.Spec.Mode.Replicated.Replicas}}' -- "$1" 2>/dev/null) in
      0) docker service scale --detach -- "$1=1" >/dev/null 2>&1 && return ;;
      ?*) break ;;
    esac
    sleep "$pause"
  done
  rmdir "$claims/$1"
  return 1
}

# run_held NAME KEYS: runs the command that stands in the definition of the service's container, in it.
run_held() {
  start_hold "$1" 60 || return
  keys=$2
  # Of each word the number of its lines, and the lines. A word can be any text.
  words=$(docker inspect --type container --format \
    '{{range .Config.Cmd}}{{len (split . "\n")}}{{"\n"}}{{println .}}{{end}}end' -- "$held") || return
  terminal=$(docker inspect --type container --format '{{if .Config.Tty}}--tty{{end}}' -- "$held") || return
  set --
  while read -r lines && [ "$lines" != end ]; do
    IFS= read -r word
    while [ "$lines" -gt 1 ]; do
      IFS= read -r line
      word="$word
$line"
      lines=$((lines - 1))
    done
    set -- "$@" "$word"
  done <<EOT
$words
EOT
  docker exec --interactive $terminal --detach-keys "$keys" "$held" "$@"
}
