# print_live FROM: prints new output from that second on, until the connection ends or the session has to be renewed.
print_live() {
  mkfifo "$work/out" "$work/events" || exit
  # All output goes through one pipe in atomic writes, so that lines of two services never mix.
  { cat <"$work/out"; : >"$work/closed"; } &
  exec 3>"$work/out"
  if [ -n "$has_docker" ]; then
    { list_starts "$1" >"$work/events"; : >"$work/closed"; } &
    follow_containers "$1" <"$work/events" &
  fi
  end=$(($(date +%s) + follow_seconds))
  while [ ! -e "$work/closed" ] && is_there && [ "$(date +%s)" -lt "$end" ]; do
    print_new_lines
    sleep 1
  done
  exit 75
}

# list_starts FROM: id and service of each container that starts from that second on.
list_starts() {
  docker events --since "$1" --filter type=container --filter event=start --filter "label=shipway.installation=$installation" \
    --filter "label=shipway.environment=$environment" --format '{{.ID}} {{index .Actor.Attributes "shipway.service"}}'
}

# is_there: succeeds while the connection that started this is open, and the shell that waits for it, which the platform ends alone.
is_there() {
  runs_since "$anchor" "$anchor_started" && runs_since "$parent" "$parent_started"
}

# follow_containers FROM: the running containers, then each one that starts, as lines `ID SERVICE` on standard input.
follow_containers() {
  from=$1
  list_containers | while read -r id name; do follow_container "$id" "$name"; done
  while read -r id name; do follow_container "$id" "$name"; done
}

# follow_container ID SERVICE: one reader per container. If the container restarts while it is still being read, that is noted.
follow_container() {
  of_service "$2" || return 0
  : >"$work/again.$1"
  mkdir "$work/follows.$1" 2>/dev/null || return 0
  while [ -e "$work/again.$1" ]; do
    rm -f "$work/again.$1"
    [ ! -e "$work/from.$1" ] || read -r from <"$work/from.$1"
    container_output --follow --since "$from" "$1" 2>&1 | stdbuf -oL cut -b "1-$((longest + 31))" | in_pieces "$2" "$work/from.$1" >&3
    rmdir "$work/follows.$1"
    [ ! -e "$work/again.$1" ] || mkdir "$work/follows.$1" 2>/dev/null || break
  done &
}

# in_pieces SERVICE LAST: adds the service to lines `TIME TEXT` and splits them into atomic writes. The file LAST holds the time of the last
# line; only later ones are printed.
in_pieces() {
  # mawk buffers its input unless it is called with -W interactive.
  case $(awk -W version 2>/dev/null </dev/null) in mawk*) set -- "$1" "$2" -W interactive ;; esac
  service=$1 last=$2
  shift 2
  service=$service last=$last awk "$@" '
    BEGIN { file = ENVIRON["last"]; service = ENVIRON["service"]; getline after <file; close(file) }
    substr($0, 30, 2) != "Z " || substr($0, 11, 1) != "T" || substr($0, 1, 30) <= after { next }
    {
      time = substr($0, 1, 31)
      text = substr($0, 32)
      if (length(text) >= 16384) while (at = index(text, time)) text = substr(text, 1, at - 1) substr(text, at + 31)
      do {
        printf "%s", time service " " substr(text, 1, 3500) "\n"
        text = substr(text, 3501)
      } while (text != "")
      fflush()
    }
    END { if (time != "") print substr(time, 1, 30) >file }'
}

# Prints lines that services of the manual recipe have written since the last poll, including those in new files.
print_new_lines() {
  for file in $(list_files "$logs" '[0-9]*.log'); do
    name=${file#*.}
    name=${name%.log}
    of_service "$name" || continue
    at=0
    [ ! -e "$work/at.$file" ] || read -r at <"$work/at.$file"
    size=$(($(stat -c %s -- "$logs/$file" 2>/dev/null || echo 0)))
    # The file was truncated.
    [ "$size" -ge "$at" ] || at=0
    [ "$size" -gt "$at" ] || continue
    # Whole lines only. If the last one has no end yet, what there is of it.
    tail -c "+$((at + 1))" -- "$logs/$file" | head -c "$((size - at < 1048576 ? size - at : 1048576))" >"$work/new"
    ends=$(tail -c 1 "$work/new" | tr -d '\n' | wc -c)
    if [ "$ends" -ne 0 ] && [ "$(($(wc -c <"$work/new")))" -lt 1048576 ]; then
      lines=$(($(wc -l <"$work/new")))
      head -n "$lines" "$work/new" >"$work/whole"
    else
      mv -f "$work/new" "$work/whole"
    fi
    echo "$((at + $(wc -c <"$work/whole")))" >"$work/at.$file"
    cut -b "1-$longest" "$work/whole" | timed_lines "$(date -u +%Y-%m-%dT%H:%M:%S.%NZ)" | in_pieces "$name" /dev/null >&3
  done
}
