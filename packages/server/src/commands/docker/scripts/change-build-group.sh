# Sets or removes the cgroup of an environment's builds, as root where that is needed: INSTALLATION SCRIPT ACT GROUP LIMIT...
installation=$1 script=$2
shift 2
sh -c "$script" build-group /sys/fs/cgroup "$@" 2>/dev/null ||
  as_root "$installation" type=bind,source=/sys/fs/cgroup,target=/cgroups "$(command -v sh)" -c "$script" build-group /cgroups "$@"
