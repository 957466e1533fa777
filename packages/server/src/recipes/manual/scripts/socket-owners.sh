# Prints whose each socket is, a line each: FOLDER DOMAIN SOCKET...
# `own` where a process that has it works in the folder, was started from there, or has the domain in its environment, as whatever
# deploy tasks start has it; `other` where its processes can be read and none of them is such a one; `unknown` where no process can be seen.
folder=$1 domain=$2
shift 2
owner_of() {
  owner=unknown
  for pid in $(ls -l /proc/[0-9]*/fd 2>/dev/null | awk -v socket="socket:[$1]" '/^\/proc\// { split($0, part, "/") } $NF == socket { print part[3] }'); do
    directory=$(readlink "/proc/$pid/cwd") || continue
    owner=other
    case $directory/ in "$folder"/*) echo own; return ;; esac
    if tr '\0' '\n' <"/proc/$pid/environ" 2>/dev/null | grep -qxF "SERVICE_DOMAIN=$domain" ||
      tr '\0' '\n' <"/proc/$pid/cmdline" 2>/dev/null | grep -qF "$folder/"; then echo own; return; fi
  done
  echo "$owner"
}
for socket in "$@"; do echo "$socket $(owner_of "$socket")"; done
