environment=$1
is_number "$environment" 15 || refuse
read_wish

# Restarts itself as the leader of a process group, so that no process is left behind, and with low priority: services come first.
if [ "${2-}" != alone ]; then
  anchor=$PPID parent=$PPID
  for _ in 1 2 3 4; do
    case $(cat "/proc/$parent/comm" 2>/dev/null) in sshd*) anchor=$parent; break ;; esac
    { read -r line <"/proc/$parent/stat"; } 2>/dev/null || break
    parent=$(echo "${line##*) }" | cut -d ' ' -f 2)
  done
  { read -r line <"/proc/$anchor/stat"; } 2>/dev/null || exit 1
  exec setsid -w nice sh "$0" "$environment" alone "$anchor" "$(started_in "$line")"
fi
anchor=$3 anchor_started=$4

# This script is in the platform's folder on this server, which is named after the installation.
folder=${0%/*}
installation=${folder##*/}
output=$folder/environments/$environment/output
for path in "$folder/environments" "$folder/environments/$environment" "$output"; do
  [ ! -L "$path" ] || { echo 'The folder of the environment is not where it should be' >&2; exit 1; }
done

# If the environment has a user of its own, its services write to files that the platform created in a separate folder.
logs=/var/lib/shipway-commands/$installation/$environment/output
[ -d "$logs" ] || logs=$output

work=$(mktemp -d) || exit
end() {
  code=$?
  trap '' TERM HUP INT
  rm -rf -- "$work"
  kill -s TERM -- "-$$" 2>/dev/null
  exit "$code"
}
trap end EXIT
trap 'exit 143' TERM HUP INT
trap 'exit 141' PIPE

has_docker= containers=
if command -v docker >/dev/null; then
  if containers=$(list_containers --all 2>"$work/docker"); then
    has_docker=yes
  elif [ -z "$(list_files "$logs" '[0-9]*.log')" ]; then
    echo "Docker cannot be asked: $(head -c 300 "$work/docker")" >&2
  fi
fi
check_service

asked_to=$(second "$until")
now=$(date +%s)
# When following, the last two seconds are left to the live part: docker may not have written all of them yet.
[ -z "$follow" ] || until=$((now - 2))
from=$(second "$since") to=$(second "$until")
print_history
[ -z "$follow" ] || print_live "$((now - 1))"
exit 0
