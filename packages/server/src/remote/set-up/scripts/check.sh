# Prints facts about a server as lines of a name and a value: FOLDER INSTALLATION EDGE [AUTHORITY PRINCIPAL]. FOLDER is - if it is in the
# home; the last two belong to the people who should be let in. The configuration of the edge comes last, unchanged.
LC_ALL=C
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
export LC_ALL PATH
folder=$1 edge=$3
[ "$folder" != - ] || folder=$HOME/.shipway/$2

has() {
  command -v "$1" >/dev/null 2>&1
}

# A daemon that hangs must not delay the other checks.
limited() {
  if has timeout; then timeout 5 "$@"; else "$@"; fi
}

tell() {
  printf '%s %s\n' "$1" "$(printf %s "$2" | head -n 1)"
}

# NAME PATH: free and total space in KiB.
tell_room() {
  df -Pk -- "$2" 2>/dev/null | {
    read -r _
    read -r _ total _ available _ && tell "$1" "$available" && tell "${1}_total" "$total"
  }
}

# Checks whether containers reach the metadata service of a cloud, which may hand out credentials of the machine. A container tries it only
# if the machine itself reaches the service; it contains only programs of the machine.
reaches_metadata() {
  has curl && has timeout && limited curl --silent --max-time 2 --output /dev/null "$metadata" || return 1
  image=$(head -c 1024 /dev/zero | limited docker import - 2>/dev/null) || return 1
  set --
  for programs in /bin /sbin /lib /lib32 /lib64 /usr; do
    [ ! -d "$programs" ] || set -- "$@" --mount "type=bind,source=$programs,target=$programs,readonly"
  done
  timeout 10 docker run --rm --pull never --log-driver none --cap-drop ALL --security-opt label=disable "$@" "$image" \
    "$(command -v curl)" --silent --max-time 2 --output /dev/null "$metadata" >/dev/null 2>&1
  code=$?
  docker image rm --force -- "$image" >/dev/null 2>&1
  return "$code"
}

metadata=http://169.254.169.254/

echo shipway-check
tell time "$(date +%s)"
tell user "$(id -un)"
tell folder "$folder"
if (umask 077 && mkdir -p -- "$folder" && probe=$(mktemp "$folder/.check.XXXXXX") && rm -f -- "$probe") 2>/dev/null; then
  tell writable yes
  tell_room room "$folder"
fi
if [ $# -eq 5 ] && (cd -- "$folder/access" && grep -qxF -- "$4" trusted && grep -qxF -- "$5" trusted && [ -f revoked ] && [ -w . ]) 2>/dev/null; then
  tell people yes
fi
if [ -x "/usr/local/lib/shipway/commands-$2" ] && limited sudo -n -- "/usr/local/lib/shipway/commands-$2" check >/dev/null 2>&1; then
  tell command_users yes
fi
has git && tell git "$(git --version)"
has curl && tell curl "$(curl --version)"
has socat && tell socat yes
while read -r name amount _; do
  case $name in
    MemTotal:) tell memory_total "$amount" ;;
    MemAvailable:) tell memory_available "$amount" ;;
  esac
done </proc/meminfo

if has docker; then
  answers=
  tell docker "$(docker --version 2>&1)"
  if server=$(limited docker version --format '{{.Server.Version}}' 2>/dev/null); then
    tell docker_server "$server"
    answers=yes
    docker_folder=$(limited docker info --format '{{.DockerRootDir}}' 2>/dev/null) && tell_room docker_room "$docker_folder"
  elif [ -e /var/run/docker.sock ] && ! [ -w /var/run/docker.sock ]; then
    tell docker_forbidden yes
  fi
  compose=$(limited docker compose version --short 2>/dev/null) && tell compose "$compose"
  if buildx=$(limited docker buildx version 2>/dev/null); then
    tell buildx "$buildx"
    [ -z "$answers" ] || obeys_source_policy >/dev/null || tell ignores_source_policy yes
  fi
  [ -z "$answers" ] || ! reaches_metadata || tell metadata yes
  option='{{index .Options "com.docker.network.bridge.enable_icc"}}'
  [ "$(limited docker network inspect --format "$option" -- bridge 2>/dev/null)" != true ] || tell builds_meet yes
fi

[ "$edge" = haproxy ] || exit 0
has haproxy && tell haproxy "$(haproxy -v)"
socket=$folder/edge/haproxy.sock
if [ -S "$socket" ]; then
  [ -w "$socket" ] && tell edge_socket writable || tell edge_socket forbidden
  has socat && tell edge_running "$(echo 'show info' | limited socat -t 4 - "UNIX-CONNECT:$socket" 2>/dev/null | grep '^Version: ')"
fi
if [ -r "$folder/edge/haproxy.cfg" ]; then
  echo configuration
  head -c 262144 "$folder/edge/haproxy.cfg"
fi
exit 0
