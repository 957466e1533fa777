# Prints the output of one environment's services in order of time, as lines `TIME SERVICE TEXT`: ENVIRONMENT
# sshd runs it for the holder of a certificate for logs. The request is in SSH_ORIGINAL_COMMAND and must match a fixed grammar: words
# separated by one space, each at most once. No part of it is ever run. Exits with 2 if it refuses the request, with 66 if there is no such
# service, and with 75 if the caller has to call again to go on following.
umask 077
LC_ALL=C
export LC_ALL
most_lines=10000 follow_seconds=3600 most_lanes=48

refuse() {
  echo 'Give follow, since=SECONDS, until=SECONDS, tail=LINES (at most 10000), again or service=NAME,NAME, each once, with one space between' >&2
  exit 2
}

# is_number TEXT DIGITS
is_number() {
  case $1 in '' | *[!0-9]* | 0?*) return 1 ;; esac
  [ "${#1}" -le "$2" ]
}

read_wish() {
  rest=${SSH_ORIGINAL_COMMAND-}
  follow= again= since= until= tail= service=
  [ "${#rest}" -le 11000 ] || refuse
  while [ -n "$rest" ]; do
    word=${rest%%' '*}
    case $rest in
      *' ') refuse ;;
      *' '*) rest=${rest#*' '} ;;
      *) rest= ;;
    esac
    case $word in
      follow) [ -z "$follow" ] || refuse; follow=yes ;;
      again) [ -z "$again" ] || refuse; again=yes ;;
      since=*) [ -z "$since" ] || refuse; since=${word#since=}; is_number "$since" 10 || refuse ;;
      until=*) [ -z "$until" ] || refuse; until=${word#until=}; is_number "$until" 10 || refuse ;;
      tail=*) [ -z "$tail" ] || refuse; tail=${word#tail=}; is_number "$tail" 5 && [ "$tail" -le "$most_lines" ] || refuse ;;
      service=*) [ -z "$service" ] || refuse; service=${word#service=}; are_services "$service" || refuse ;;
      *) refuse ;;
    esac
  done
  [ -z "$follow" ] || [ -z "$until" ] || refuse
}

# are_services NAME,NAME...: at most fifty.
are_services() {
  left=$1, count=0
  while [ -n "$left" ]; do
    is_service "${left%%,*}" || return 1
    left=${left#*,} count=$((count + 1))
  done
  [ "$count" -le 50 ]
}

# second NUMBER: formats it as the start of a time; prints nothing for an empty value.
second() {
  [ -z "$1" ] || date -u -d "@$1" +%Y-%m-%dT%H:%M:%S
}

# of_service NAME: succeeds if the reader asked for its lines.
of_service() {
  is_service "$1" || return 1
  [ -n "$service" ] || return 0
  case ",$service," in *",$1,"*) ;; *) return 1 ;; esac
}

# named SERVICE FROM TO: adds the service to lines `TIME TEXT`, and drops lines outside of that time.
named() {
  service=$1 from=$2 to=$3 awk '
    BEGIN { service = ENVIRON["service"]; from = ENVIRON["from"]; to = ENVIRON["to"] }
    { second = substr($0, 1, 19) }
    second >= from && (to == "" || second <= to) { print substr($0, 1, 30), service, substr($0, 32) }'
}

# list_containers WORD...: id and service of each container of this environment only.
list_containers() {
  docker ps --no-trunc --filter "label=shipway.installation=$installation" --filter "label=shipway.environment=$environment" \
    --format '{{.ID}} {{.Label "shipway.service"}}' "$@"
}

# container_output WORD... ID: what a container has printed, each line with its time.
container_output() { docker logs --timestamps "$@"; }

# kept_id ID: a container in the names of kept files.
kept_id() { printf %.12s "$1"; }

# list_kept: the kept files as FIRST LAST LINES ID SERVICE NAME, without those of containers that still exist.
list_kept() {
  [ -d "$output" ] || return 0
  find "$output" -maxdepth 1 -type f -name '*.gz' -printf '%f\n' | containers=$containers awk '
    BEGIN { containers = ENVIRON["containers"] }
    /^[0-9]+-[0-9]+\.[0-9]+\.[A-Za-z0-9]+\.[A-Za-z0-9._-]+\.gz$/ {
      split($0, part, /[-.]/)
      if (part[4] ~ (length(part[4]) == 25 ? "^[0-9a-z]+$" : "^[0-9a-f]+$") && index("\n" containers, "\n" part[4])) next
      service = $0
      sub(/^[0-9]+-[0-9]+\.[0-9]+\.[A-Za-z0-9]+\./, "", service)
      sub(/\.gz$/, "", service)
      print part[1], part[2], part[3], part[4], service, $0
    }'
}

# list_files FOLDER NAME: log files of services of the manual recipe, and those of replaced containers.
list_files() {
  [ -d "$1" ] || return 0
  find "$1" -maxdepth 1 -type f -name "$2" -printf '%f\n' | grep -E '^[A-Za-z0-9.][A-Za-z0-9._-]*$'
}

# choose_kept: the listed files that contain requested lines, each with its lane: files that do not overlap in time share one. With only
# tail=, older files are left out once the newer ones have enough lines.
choose_kept() {
  service=$service since=${since:-0} until=$until awk '
    (ENVIRON["service"] == "" || index("," ENVIRON["service"] ",", "," $5 ",")) && $2 >= ENVIRON["since"] + 0 &&
      (ENVIRON["until"] == "" || $1 <= ENVIRON["until"] + 0)' |
    sort -k 2,2rn |
    tail=$tail until=$until awk '
      ENVIRON["tail"] != "" && lines >= ENVIRON["tail"] + 0 && NR > 1 && $2 < earliest { exit }
      {
        print
        if (NR == 1 || $1 < earliest) earliest = $1
        if (ENVIRON["until"] == "" || $2 <= ENVIRON["until"] + 0) lines += $3
      }' |
    sort -k 1,1n |
    most=$most_lanes awk '
      {
        lane = 0
        for (i = 1; i <= lanes && !lane; i++) if (end[i] < $1) lane = i
        if (!lane && lanes < ENVIRON["most"]) lane = ++lanes
        if (!lane) for (lane = i = 1; i <= lanes; i++) if (end[i] < end[lane]) lane = i
        end[lane] = $2
        print lane, $5, $6
      }'
}

# open_lane COMMAND WORD...: adds the output of the command to the streams that are merged.
open_lane() {
  lanes=$((lanes + 1))
  mkfifo "$work/lane.$lanes" || exit
  "$@" >"$work/lane.$lanes" &
}

read_kept() {
  while read -r lane service name; do
    [ "$lane" != "$1" ] || gzip -dc -- "$output/$name" 2>/dev/null | named "$service" "$from" "$to"
  done <"$work/chosen"
}

# print_kept ID SERVICE: the kept lines of one container; fails if there are none.
print_kept() {
  for file in "$output"/*."$(kept_id "$1").$2.gz"; do
    [ -f "$file" ] && [ ! -L "$file" ] || continue
    gzip -dc -- "$file" | named "$2" "$from" "$to"
    return
  done
  return 1
}

# read_container ID SERVICE: if the container was removed after it was listed, its lines are among the kept ones.
read_container() {
  set -- "$1" "$2" ${since:+--since "$since"} ${until:+--until "$until.999999999"} ${tail:+--tail "$tail"}
  id=$1 name=$2
  shift 2
  said=$work/said.$id
  { container_output "$@" "$id" 2>&1 || : >"$work/failed.$id"; } | said=$said container_lines | named "$name" "$from" "$to"
  [ -e "$work/failed.$id" ] || return 0
  read_followed "$id" "$name" || echo "The output of $name cannot be read: $(head -c 300 "$said" 2>/dev/null)" >&2
}

# read_followed ID SERVICE: its lines become kept ones at any moment.
read_followed() {
  followed=$output/.$(kept_id "$1").$2.following is_open=
  [ -L "$followed" ] || { is_open=yes; container_lines | named "$2" "$from" "$to"; } 2>/dev/null <"$followed"
  [ -n "$is_open" ] || print_kept "$1" "$2"
}

# read_file NAME SERVICE BYTES: prints nothing if no line has a time and the reader continues from a time: it would get the whole file
# again.
read_file() {
  [ -e "$logs/$1" ] || { print_kept "t${1%%.*}" "$2"; return; }
  [ -z "$follow$again" ] || [ -z "$since" ] || head -n 50 -- "$logs/$1" | grep -a -q '^20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9:.]*Z' || return 0
  file_lines "$logs/$1" "$3" | named "$2" "$from" "$asked_to"
}

# Merges sorted streams, which needs no disk space. Ends with the streams.
print_history() {
  lanes=0
  # Listed first: a file that becomes a kept one meanwhile is in one of the lists at least.
  followed=$(list_files "$output" '.*.following')
  written=$(list_files "$logs" '[0-9]*.log')
  list_kept >"$work/kept"
  choose_kept <"$work/kept" >"$work/chosen"
  kept_lanes=$(cut -d ' ' -f 1 "$work/chosen" | sort -n | tail -n 1)
  while [ "$lanes" -lt "${kept_lanes:-0}" ]; do open_lane read_kept "$((lanes + 1))"; done
  while read -r id name; do
    ! of_service "$name" || open_lane read_container "$id" "$name"
  done <<END
$containers
END
  for file in $followed; do
    name=${file#.*.}
    name=${name%.following}
    id=${file#.}
    id=${id%%.*}
    case "
$containers" in *"
$id"*) continue ;; esac
    ! grep -q -F -e " $id $name " "$work/kept" || continue
    ! of_service "$name" || open_lane read_followed "$id" "$name"
  done
  for file in $written; do
    name=${file#*.}
    name=${name%.log}
    [ -e "$logs/$file" ] || ! grep -q -F -e " t${file%%.*} $name " "$work/kept" || continue
    size=$(($(stat -c %s -- "$logs/$file" 2>/dev/null || echo 0)))
    echo "$size" >"$work/at.$file"
    ! of_service "$name" || open_lane read_file "$file" "$name" "$size"
  done
  [ "$lanes" -gt 0 ] || return 0
  set --
  while [ "$lanes" -gt 0 ]; do
    set -- "$@" "$work/lane.$lanes"
    lanes=$((lanes - 1))
  done
  sort -m -s -k 1,1 "--batch-size=$(($# + 1))" -- "$@" | if [ -n "$tail" ]; then tail -n "$tail"; else cat; fi
}

check_services() {
  [ -n "$service" ] || return 0
  known=$({ list_kept | cut -d ' ' -f 5; printf '%s\n' "$containers" | cut -d ' ' -f 2; list_files "$logs" '[0-9]*.log' | sed 's/^[0-9]*\.//; s/\.log$//'; } |
    grep -x '[A-Za-z0-9._-]*' | grep . | sort -u | head -n 50)
  left=$service,
  while [ -n "$left" ]; do
    name=${left%%,*} left=${left#*,}
    ! printf '%s\n' "$known" | grep -q -x -F -e "$name" || continue
    echo "No service is called $name" >&2
    echo "services: $(echo $known)" >&2
    exit 66
  done
}
