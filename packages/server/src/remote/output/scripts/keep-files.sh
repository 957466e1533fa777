# Keeps the log files that services of the manual recipe wrote in earlier deployments: FOLDER DAYS BYTES TASK [LOGS PROGRAM ENVIRONMENT]
# For an environment with a user of its own, they are in the folder LOGS, and PROGRAM reports as that user which of them are open. Files
# that a process still has open stay, but are emptied if larger than BYTES.
begin_keeping "$1"
days=$2 bytes=$3 task=$4
here=$(pwd -P)
open="$(ls -l /proc/[0-9]*/fd 2>/dev/null | grep -F -e " -> $here/")
"

# keep FILE: a name in this folder, or an absolute path.
keep() {
  name=${1##*/}
  name=${name%.log}
  path=$here/$1
  case $1 in /*) path=$1 ;; esac
  task_of=${name%%.*} service=${name#*.}
  case $task_of in '' | *[!0-9]*) return ;; esac
  is_service "$service" || return
  is_open=
  case $open in
    *" -> $path
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

keep_all() {
  for file do
    [ -f "$file" ] && [ ! -L "$file" ] || continue
    keep "$file"
  done
}

keep_all [0-9]*.log
if [ $# -eq 7 ]; then
  text="ls -l /proc/[0-9]*/fd 2>/dev/null | grep -F -e ' -> $5/'
: end"
  open="$(printf %s "$text" | sudo -n -- "$6" run "$7" "${#text}")
"
  keep_all "$5"/[0-9]*.log
fi
trim_output "$days" "$bytes" .
exit 0
