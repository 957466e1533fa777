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
  anchor_started=$(started_in "$line")
  { read -r line <"/proc/$PPID/stat"; } 2>/dev/null || exit 1
  exec setsid -w nice sh "$0" "$environment" alone "$anchor" "$anchor_started" "$PPID" "$(started_in "$line")"
fi
anchor=$3 anchor_started=$4 parent=$5 parent_started=$6

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

# A reader that is gone is noticed at once where something is printed; this is for an engine that does not answer.
{ while is_there; do sleep 1; done; kill -s TERM -- "-$$"; } </dev/null >/dev/null 2>&1 &

has_docker= containers= is_away=
if command -v docker >/dev/null; then
  if containers=$(list_containers --all 2>"$work/docker"); then
    has_docker=yes
  elif [ -z "$(list_files "$logs" '[0-9]*.log')" ]; then
    echo "Docker cannot be asked: $(head -c 300 "$work/docker")" >&2
    is_away=yes
  fi
fi
check_services

asked_to=$(second "$until")
now=$(date +%s)
# When following, the last two seconds are left to the live part: docker may not have written all of them yet.
[ -z "$follow" ] || until=$((now - 2))
from=$(second "$since") to=$(second "$until")
print_history
# The engine may be starting again: the caller comes back.
[ -z "$follow" ] || [ -z "$is_away" ] || { sleep 2; exit 75; }
[ -z "$follow" ] || print_live "$((now - 1))"
exit 0
