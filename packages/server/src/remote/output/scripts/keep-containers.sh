# Stops containers and keeps their output: FOLDER DAYS BYTES CONTAINER...
# Reads at most BYTES of each, the newest lines. Prints a sentence for each container whose output is not completely kept.
begin_keeping "$1"
days=$2 bytes=$3
shift 3

# The output of a container is kept before the container is removed.
is_removed() {
  case $(docker inspect --type container --format '{{.State.Status}}' -- "$1" 2>/dev/null) in '' | removing | dead) ;; *) return 1 ;; esac
}

keep() {
  id=$(printf %.12s "$1")
  service=$(docker inspect --type container --format '{{index .Config.Labels "shipway.service"}}' -- "$1" 2>/dev/null) || return 0
  is_service "$service" || return 0
  for most in 1000000 100000 10000; do
    { docker logs --timestamps --tail "$most" -- "$1" 2>&1; echo "$?" >"$work/code"; } | head -c "$bytes" | store "$id" "$service" || {
      echo "The output of $service could not be kept: see that the disk is not full"
      return
    }
    printed=0
    [ ! -s "$work/facts" ] || read -r first last lines printed <"$work/facts"
    [ "$printed" -ge "$((bytes - 131072))" ] || break
  done
  if [ "$printed" -ge "$((bytes - 131072))" ]; then
    echo "Of the output of $service only a part is kept: it is larger than $bytes bytes"
  elif [ "$(cat "$work/code")" -ne 0 ] && ! is_removed "$1"; then
    echo "The output of $service could not be kept: $(head -c 300 "$work/said" 2>/dev/null)"
  fi
}

# A follower still writes the last lines of its container after the container is removed, and then closes the file.
is_written() {
  ls -l /proc/[0-9]*/fd 2>/dev/null | grep -qF -- " -> $(pwd -P)/$1"
}

# For containers that were replaced and are already removed. A follower that does not end is given thirty seconds.
keep_followed() {
  for file in .*.following; do
    [ -f "$file" ] && [ ! -L "$file" ] || continue
    name=${file#.}
    name=${name%.following}
    ! docker inspect --type container --format '{{.Id}}' -- "${name%%.*}" >/dev/null 2>&1 || continue
    looks=0
    while [ "$looks" -lt 300 ] && is_written "$file"; do
      sleep 0.1
      looks=$((looks + 1))
    done
    head -c "$bytes" -- "$file" | store "${name%%.*}" "${name#*.}" || continue
    rm -f -- "$file"
  done
}

[ "$#" -eq 0 ] || docker stop -- "$@" >/dev/null 2>&1
for container do keep "$container"; done
keep_followed
trim_output "$days" "$bytes" .
exit 0
