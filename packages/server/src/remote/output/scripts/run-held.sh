# claim NAME: starts the container of a service that waits for its command, once, whoever asks at the same time.
claim() (
  exec 9<"${0%/*}" && flock 9 || exit
  replicas=$(docker service inspect --format '{{.Spec.Mode.Replicated.Replicas}}' -- "$1" 2>/dev/null)
  [ "$replicas" = 0 ] || exit
  docker service scale --detach -- "$1=1" >/dev/null 9<&-
)

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
