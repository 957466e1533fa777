# Prints what listens on the machine (listens PORT SOCKET, the port in hexadecimal), then what containers publish, those that run: as the
# Engine lists them, in a line of JSON, or where it cannot be asked, or WHOM is docker, in lines of publishes INSTALLATION/ENVIRONMENT PORTS.
# Docker can publish a port without a process that listens on it. Words: WHOM
grep -hE '^ *[0-9]+: [0-9A-F]+:[0-9A-F]{4} [0-9A-F]+:0000 0A ' /proc/net/tcp /proc/net/tcp6 2>/dev/null |
  while read -r _ address _ _ _ _ _ _ _ socket _; do echo "listens ${address##*:} $socket"; done
[ "$1" = docker ] || ! engine_socket || ! engine --fail --write-out '\n' --url http://docker/containers/json 2>/dev/null || exit 0
command -v docker >/dev/null || exit 0
docker ps --format 'publishes {{.Label "shipway.installation"}}/{{.Label "shipway.environment"}} {{.Ports}}' 2>/dev/null || exit 0
