# Finds a process of a container by its cgroup, whose path holds the container's id, so that no program of the image is needed and it
# does not matter which process namespace the engine is in: CONTAINER
process_of() {
  [ "${#1}" -ge 12 ] || return
  grep -lsF -- "$1" /proc/[0-9]*/cgroup | sed -n '1s,^/proc/\([0-9]*\)/cgroup$,\1,p'
}

# Prints where a process's network listens, separated by ", ": PORT, or 127.0.0.1:PORT where only the container itself can connect. Prints "named"
# instead where others can connect to the port that is named, and nothing where it listens nowhere or cannot be seen: PROCESS NAMED
# Docker's own name server at 127.0.0.11 does not count.
listeners() {
  cat "/proc/$1/net/tcp" "/proc/$1/net/tcp6" 2>/dev/null | awk -v named="$(printf '%04X' "$2")" '
    function number(text,   at, sum) {
      for (at = 1; at <= length(text); at++) sum = sum * 16 + index("123456789ABCDEF", substr(text, at, 1))
      return sum
    }
    $4 == "0A" && split($2, part, ":") == 2 && part[1] != "0B00007F" {
      isOwn = part[1] ~ /^(0000000000000000FFFF0000)?......7F$/ || part[1] == "00000000000000000000000001000000"
      if (!isOwn && part[2] == named) isNamed = 1
      word = (isOwn ? "127.0.0.1:" : "") number(part[2])
      if (!(word in seen) && count < 10) { seen[word] = 1; words[++count] = word }
    }
    END {
      if (isNamed) { print "named"; exit }
      # In one order, whatever the order of the kernel.
      for (a = 1; a <= count; a++) for (b = a + 1; b <= count; b++)
        if (words[b] < words[a]) { swap = words[a]; words[a] = words[b]; words[b] = swap }
      for (a = 1; a <= count; a++) printf "%s%s", (a > 1 ? ", " : ""), words[a]
    }'
}
