# Format of kept output, for the scripts that write and read it. Files in the folder `output` of an environment:
#   FIRST-LAST.LINES.ID.SERVICE.gz   lines `TIME TEXT` of a container that is gone, or of a file; FIRST and LAST are Unix seconds
#   .ID.SERVICE.following            the same of a container that is about to be replaced, as docker prints it
#   TASK.SERVICE.log                 log file of a service of the manual recipe, in any format
# TIME always has 30 characters: 2026-11-16T07:16:33.203343868Z.

# Longer lines are cut: they must fit into the memory of the program that sorts them.
longest=65536

# container_lines: output of `docker logs --timestamps` without docker's own messages, which have no time. Removes the times inside lines
# that docker stored in pieces. Writes docker's last message to the file `said`, and FIRST LAST LINES BYTES to `facts`.
container_lines() {
  cut -b "1-$((longest + 31))" | said=${said-/dev/null} facts=${facts-/dev/null} awk '
    substr($0, 30, 2) != "Z " || substr($0, 11, 1) != "T" { words = $0; next }
    {
      time = substr($0, 1, 31)
      text = substr($0, 32)
      if (length(text) >= 16384) while (at = index(text, time)) text = substr(text, 1, at - 1) substr(text, at + 31)
      print time text
      if (!lines++) first = time
      last = time
      bytes += length(text) + 32
    }
    END {
      if (words != "") print words >ENVIRON["said"]
      if (lines) printf "%s%s%d %.0f\n", first, last, lines, bytes >ENVIRON["facts"]
    }'
}

# file_lines FILE BYTES: the first BYTES of a log file, each line with a time. A line that starts with a time in UTC keeps it; another line
# gets the time of the line before it. If no line has a time, all get the time of the last write.
file_lines() {
  time=$(head -n 50 -- "$1" | cut -b 1-40 | grep -a -m 1 -o '^20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9][0-9.]*Z')
  [ -n "$time" ] || time=$(date -u -d "@$(stat -c %Y -- "$1")" +%Y-%m-%dT%H:%M:%SZ)
  head -c "$2" -- "$1" | cut -b "1-$longest" | timed_lines "$time"
}

# timed_lines TIME: the same for standard input; lines before the first one with a time get TIME.
timed_lines() {
  time=$1 awk '
    function whole(time) {
      sub(/Z$/, "", time)
      if (length(time) == 19) time = time "."
      return substr(time "000000000", 1, 29) "Z"
    }
    BEGIN { time = whole(ENVIRON["time"]) }
    match($0, /^20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9](\.[0-9]+)?Z/) { time = whole(substr($0, 1, RLENGTH)) }
    { print time " " $0 }'
}

# is_service NAME
is_service() {
  case $1 in '' | *[!A-Za-z0-9._-]*) return 1 ;; esac
  [ "${#1}" -le 200 ]
}
