# Sourced by the scripts: where the number of the running process is kept,
# outside the release so that the next one finds it. Two platforms on one machine may use the same domain:
# the folder of the releases tells their environments apart.
state="${HELLO_STATE:-$HOME/.local/state/hello-manual}/${SERVICE_DOMAIN:-$PORT}-$(printf %s "${PWD%/*}" | cksum | cut -d ' ' -f 1)"

# The running process, or nothing. After a reboot the pid may belong to another process.
running() {
  pid=$(cat "$state/pid" 2>/dev/null) || return 0
  if tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline" | grep -q 'server\.mjs'; then echo "$pid"; fi
}

# Waits up to ten seconds for a command to succeed.
await() {
  tries=0
  until "$@"; do
    tries=$((tries + 1))
    if [ "$tries" -ge 100 ]; then return 1; fi
    sleep 0.1
  done
}
