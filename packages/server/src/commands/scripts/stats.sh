# Prints raw counters of this machine and of the containers of an installation. Starts nothing that stays:
# INSTALLATION FORMAT EVENTS SINCE CGROUPS [PORT]...
# With `-` as the installation it takes all containers and asks Docker nothing.
#   disk - TOTAL USED FREE PERCENT -                 of each of the disks, without its names; in KiB
#   {…}                                             each running container, in FORMAT; `unasked` where Docker gave no answer
#   oom {…}                                         each OOM kill since SINCE, in EVENTS; SINCE is empty where none are wanted
#   clock SECONDS                                   this machine's time, up to which OOM kills were read
#   uptime SECONDS, cores N, cpu …, memory TOTAL AVAILABLE, load MEAN        as the kernel has them; memory in KiB
#   usage ID V CPU MEMORY CACHE LIMIT KILLS IN OUT   of a container; V is the version of cgroups, `-` stands for what cannot be read
#   port PORT TICKS KIB                             of the processes that listen on a port, and their children
installation=$1 format=$2 events=$3 since=$4 cgroups=$5
shift 5
listed='' all=''
df -Pk / /var/lib . 2>/dev/null | sed -nE 's/.*[[:space:]]([0-9]+[[:space:]]+[0-9]+[[:space:]]+-?[0-9]+[[:space:]]+[0-9]+%)[[:space:]].*/disk - \1 -/p'
if [ "$installation" = - ]; then
  all=yes
elif [ -n "$installation" ]; then
  label=label=shipway.installation=$installation
  listed=$(timeout 8 docker ps --no-trunc --filter "$label" --format "$format" 2>/dev/null) || listed=unasked
  printf '%s\n' "$listed" | head -c 600000
  until=$(date +%s)
  if [ -n "$since" ] && [ "$listed" != unasked ] && [ "$since" -lt "$until" ]; then
    timeout 8 docker events --since "$since" --until "$until" --filter "$label" --filter type=container --filter event=oom \
      --format "oom $events" 2>/dev/null | head -c 100000
  fi
  echo "clock $until"
fi

# Containers are found by the names of their cgroups, which hold their ids under each driver of Docker.
if [ -e "$cgroups/cgroup.controllers" ]; then version=2 tree=$cgroups; else version=1 tree=$cgroups/memory; fi
{
  printf '%s\n' "$listed" | sed -n 's/^{"id":"\([0-9a-f]*\)".*/\1/p'
  [ -z "$listed$all" ] || find "$tree" -type d -name '*[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]*' 2>/dev/null
} | awk -v all="$all" -v version="$version" -v tree="$tree" -v accounting="$cgroups/cpuacct" '
  function first(file,   line, read) {
    read = (getline line < file)
    close(file)
    return read > 0 ? line : "-"
  }
  function value(file, name,   line, part, found) {
    found = "-"
    while ((getline line < file) > 0) if (split(line, part, " ") == 2 && part[1] == name) { found = part[2]; break }
    close(file)
    return found
  }
  function network(process,   file, line, part, into, out, isRead) {
    file = "/proc/" process "/net/dev"
    while ((getline line < file) > 0) {
      if (!sub(/:/, " ", line) || split(line, part, " ") < 17 || part[1] == "lo") continue
      isRead = 1; into += part[2]; out += part[10]
    }
    close(file)
    return isRead ? sprintf("%.0f %.0f", into, out) : "- -"
  }
  function machine(   line, part, cores, total, available) {
    split(first("/proc/uptime"), part, " "); print "uptime", part[1]
    while ((getline line < "/proc/stat") > 0) { if (line ~ /^cpu /) print line; if (line ~ /^cpu[0-9]/) cores++ }
    print "cores", cores + 0
    total = available = "-"
    while ((getline line < "/proc/meminfo") > 0) {
      split(line, part, " ")
      if (part[1] == "MemTotal:") total = part[2]
      if (part[1] == "MemAvailable:") { available = part[2]; break }
    }
    print "memory", total, available
    split(first("/proc/loadavg"), part, " "); print "load", part[1]
  }
  BEGIN { machine() }
  !/\// { wanted[$0] = 1; next }
  {
    id = $0
    sub(/.*\//, "", id); sub(/^docker-/, "", id); sub(/\.scope$/, "", id)
    # A report has room for this many.
    if (all && length(id) == 64 && id !~ /[^0-9a-f]/ && ++containers <= 400) wanted[id] = 1
    if (!(id in wanted)) next
    delete wanted[id]
    process = first($0 "/cgroup.procs")
    if (version == 2) {
      use = value($0 "/cpu.stat", "usage_usec") " " first($0 "/memory.current") " " value($0 "/memory.stat", "inactive_file") " " \
        first($0 "/memory.max") " " value($0 "/memory.events", "oom_kill")
    } else {
      use = first(accounting substr($0, length(tree) + 1) "/cpuacct.usage") " " first($0 "/memory.usage_in_bytes") " " \
        value($0 "/memory.stat", "total_inactive_file") " " first($0 "/memory.limit_in_bytes") " " value($0 "/memory.oom_control", "oom_kill")
    }
    print "usage", id, version, use, (process > 0 ? network(process) : "- -")
  }'

# Finds the processes by their sockets. A user sees the files of other users only as root. Then all processes of the user who listens
# are taken, if that user is neither root nor this one and listens on one of the ports alone.
if [ "$#" -gt 0 ]; then
  {
    printf 'asked %s\n' "$@"
    echo "self $(id -u)"
    sed 's/^/socket /' /proc/net/tcp /proc/net/tcp6 2>/dev/null
    ls -ln /proc/[0-9]*/fd 2>/dev/null | grep -E '^/proc/|socket:'
    sed 's/^/stat /' /proc/[0-9]*/stat 2>/dev/null
    ls -ldn /proc/[0-9]* 2>/dev/null
  } | awk '
    function number(text,   at, sum) {
      for (at = 1; at <= length(text); at++) sum = sum * 16 + index("123456789ABCDEF", substr(text, at, 1))
      return sum
    }
    # Memory of a process that is neither shared with files nor with others.
    function anonymous(process,   file, line, part, found) {
      file = "/proc/" process "/status"
      while ((getline line < file) > 0) if (split(line, part, " ") >= 2 && part[1] == "RssAnon:") { found = part[2]; break }
      close(file)
      return found + 0
    }
    function take(process, port,   child) {
      if ((process, port) in taken || !(process in ticks)) return
      taken[process, port] = 1
      used[port] += ticks[process]; kib[port] += anonymous(process); isFound[port] = 1
      for (child = 1; child <= children[process]; child++) take(childOf[process, child], port)
    }
    $1 == "asked" { isAsked[$2 + 0] = 1; next }
    $1 == "self" { self = $2; next }
    $1 == "socket" {
      if ($5 != "0A" || split($3, part, ":") != 2) next
      port = number(part[2])
      if (!(port in isAsked) || $11 == 0) next
      portOf["socket:[" $11 "]"] = port; user[port] = $9
      next
    }
    $1 == "stat" {
      process = $2
      sub(/^.*\) /, "")
      ticks[process] = $12 + $13 + $14 + $15
      childOf[$2, ++children[$2]] = process
      next
    }
    /^\/proc\// { split($0, part, "/"); owner = part[3]; next }
    $NF in portOf { listens[++listeners] = owner; listensOn[listeners] = portOf[$NF]; isSeen[portOf[$NF]] = 1; next }
    /^d/ { split($NF, part, "/"); ofUser[$3, ++processes[$3]] = part[3] }
    END {
      for (at = 1; at <= listeners; at++) take(listens[at], listensOn[at])
      for (port in user) ports[user[port]]++
      for (port in user) if (!(port in isSeen) && user[port] != 0 && user[port] != self && ports[user[port]] == 1)
        for (at = 1; at <= processes[user[port]]; at++) take(ofUser[user[port], at], port)
      for (port in isFound) printf "port %d %.0f %.0f\n", port, used[port], kib[port]
    }'
fi
exit 0
