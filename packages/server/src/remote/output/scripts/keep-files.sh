# Keeps what services of the manual recipe printed into files of earlier deployments: FOLDER DAYS BYTES TASK
# Files that a process still has open stay as they are; one larger than BYTES is emptied all the same.
begin_keeping "$1"
days=$2 bytes=$3 task=$4
here=$(pwd -P)
open="$(ls -l /proc/[0-9]*/fd 2>/dev/null | grep -F -e " -> $here/")
"

keep() {
  name=${1%.log}
  task_of=${name%%.*} service=${name#*.}
  case $task_of in '' | *[!0-9]*) return ;; esac
  is_service "$service" || return
  is_open=
  case $open in
    *" -> $here/$1
"*) is_open=yes ;;
  esac
  size=$(($(stat -c %s -- "$1"))) part=$1
  if [ "$size" -gt "$bytes" ]; then
    echo "$service has printed $size bytes: only the last $((bytes / 4)) of them are kept"
    part=$work/part
    tail -c "$((bytes / 4))" -- "$1" | sed 1d >"$part"
    touch -r "$1" -- "$part"
  elif [ -n "$is_open" ] || [ "$task_of" = "$task" ]; then
    return
  fi
  if ! file_lines "$part" "$bytes" | store "t$task_of" "$service"; then
    echo "The output of $service could not be kept: see that the disk is not full"
    return
  fi
  if [ -n "$is_open" ] || [ "$task_of" = "$task" ]; then : >"$1"; else rm -f -- "$1"; fi
}

for file in [0-9]*.log; do
  [ -f "$file" ] && [ ! -L "$file" ] || continue
  keep "$file"
done
bound_output "$days" "$bytes" .
exit 0
