# Finds the socket on which docker reaches its Engine, without starting docker. Fails where that is no socket, or only docker knows, or
# where curl is missing: then docker has to be asked.
engine_socket() {
  command -v curl >/dev/null || return
  settings=${DOCKER_CONFIG:-$HOME/.docker}/config.json
  # A context leads elsewhere, and with a proxy containers get further variables.
  [ ! -e "$settings" ] || ! grep -qsE '"(currentContext|proxies)"' "$settings" || return
  [ -z "${DOCKER_CONTEXT-}" ] || return
  case ${DOCKER_HOST-} in
    '') socket=/var/run/docker.sock ;;
    unix://*) socket=${DOCKER_HOST#unix://} ;;
    *) return 1 ;;
  esac
  [ -S "$socket" ]
}

# Asks the Engine; what it answers is printed: WORD...
engine() {
  curl --silent --show-error --noproxy '*' --globoff --max-time 120 --unix-socket "$socket" "$@"
}
