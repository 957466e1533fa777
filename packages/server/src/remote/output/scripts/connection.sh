# runs_since PID STARTED: a zombie runs no more.
runs_since() {
  { read -r line <"/proc/$1/stat"; } 2>/dev/null || return 1
  case $line in *') Z '*) return 1 ;; esac
  [ "$(started_in "$line")" = "$2" ]
}

# started_in LINE: start time in a line of /proc/PID/stat. The name of the program may contain anything up to its last bracket.
started_in() {
  line=${1##*) }
  echo "$line" | cut -d ' ' -f 20
}
