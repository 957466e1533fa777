# Prints which containers have open connections to which others, a line FROM TO each: COUNT FROM... TO...
# By the sockets of their network: no program of the image is needed. What cannot be seen has none.
count=$1
shift
from=
while [ "$count" -gt 0 ]; do
  from="$from $1"
  shift
  count=$((count - 1))
done
addresses=$(docker inspect --type container --format '{{$id := .ID}}{{range .NetworkSettings.Networks}}{{.IPAddress}} {{$id}}
{{end}}' -- "$@" 2>/dev/null)
for container in $from; do
  process=$(process_of "$container")
  [ -n "$process" ] || continue
  { printf '%s\n' "$addresses"; echo; cat "/proc/$process/net/tcp" "/proc/$process/net/tcp6" 2>/dev/null; } | awk -v from="$container" '
    # As the kernel writes it: the bytes of the address from the last to the first, in hexadecimal.
    NF == 2 && split($1, part, ".") == 4 {
      owner[sprintf("%02X%02X%02X%02X", part[4], part[3], part[2], part[1])] = $2
      next
    }
    $4 == "01" && split($3, remote, ":") == 2 {
      address = remote[1]
      sub(/^0000000000000000FFFF0000/, "", address)
      if (address in owner && !(owner[address] in printed)) { printed[owner[address]] = 1; print from, owner[address] }
    }'
done
