# Sets what the builds of an environment may use together, or removes the cgroup in which they run:
# ROOT set GROUP CPU_QUOTA MEMORY PROCESSES, or ROOT remove GROUP
# The quota is in microseconds of each tenth of a second; max is no limit. An account that is not root can only see that all is done.
root=$1 act=$2 group=$3 cpu=$4 memory=$5 processes=$6

each_limit() {
  if [ -f "$root/cgroup.controllers" ]; then
    "$1" "$root/$group/cpu.max" "$cpu" && "$1" "$root/$group/memory.max" "$memory" && "$1" "$root/$group/pids.max" "$processes"
  else
    "$1" "$root/cpu/$group/cpu.cfs_quota_us" "$cpu" && "$1" "$root/memory/$group/memory.limit_in_bytes" "$memory" &&
      "$1" "$root/pids/$group/pids.max" "$processes"
  fi
}

is_set() {
  { read -r value _ <"$1"; } 2>/dev/null || return
  # How the first version writes that there is no limit.
  case $value in -1 | 922337203685477????) value=max ;; esac
  [ "$value" = "$2" ]
}

write() {
  mkdir -p "${1%/*}" || return
  case $2:${1##*/} in
    max:cpu.cfs_quota_us | max:memory.limit_in_bytes) echo -1 >"$1" ;;
    *) echo "$2" >"$1" ;;
  esac
}

if [ "$act" = remove ]; then
  for folder in "$root/$group" "$root"/*/"$group"; do
    [ ! -d "$folder/buildkit" ] || rmdir "$folder/buildkit" || exit
    [ ! -d "$folder" ] || rmdir "$folder" || exit
  done
  exit
fi
each_limit is_set && exit
[ ! -f "$root/cgroup.controllers" ] || echo '+cpu +memory +pids' >"$root/cgroup.subtree_control" || exit
each_limit write
